"""Progress of batches that this master runs, and messages about others."""

import pytest

from salt_g.runners import batch

JID = "20260316190000000001"


class Batches:
    """One running batch, and one that ends between two queries."""

    def running(self):
        return {JID: {}, "2": {}}

    def status(self, jid):
        return {"jid": jid} if jid == JID else None


def test_batches_of_this_master_are_shown(call_context):
    call_context(batches=Batches())

    assert batch.status(JID) == {"jid": JID}
    assert batch.list_active() == [{"jid": JID}]


@pytest.mark.parametrize(
    ("opts", "message"),
    [
        ({}, "this master knows no batch 3; for the returns of an old one: salt-g run"),
        ({"cluster": True}, "knows no batch 3; ask the master that runs it, or the leader if that master"),
    ],
)
def test_of_an_unknown_batch_the_log_says_where_to_look(call_context, opts, message, caplog):
    call_context(batches=Batches(), opts=opts)

    assert batch.status("3") is None
    assert message in caplog.text
