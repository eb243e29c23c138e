"""Message of a command that has lost its master, about its run."""

import pytest

from salt_g.cli.cmd import lost_master

JID = "20260102030405000000"
ALONE, CLUSTER = {"cluster": False}, {"cluster": True, "store": "postgresql://h/salt"}
NO_RECORD = [{"store": "postgresql://h/salt"}, {"pillar_secrets": ["passwords"]}]
OTHER, AGAIN = "at another master of the cluster", "when this master runs again"


@pytest.mark.parametrize(("opts", "place"), [(CLUSTER, OTHER), (ALONE, AGAIN)])
def test_the_message_says_where_to_follow_a_job_that_continues(opts, place):
    attach, lookup = f"salt-g attach {JID}", f"salt-g run jobs.lookup_jid {JID}"

    result = lost_master.of_job(JID, opts)
    assert result.startswith(f"The minions continue job {JID}. To follow it {place}: {attach}. ")
    assert result.endswith(f": {lookup}")
    assert lost_master.of_batch(JID, opts, {}) == f"The batch {JID} continues. To follow it {place}: {attach}"
    result = lost_master.of_function("state.orchestrate", JID, opts)
    assert result == f"The orchestration {JID} continues. To see its result {place}: {lookup}"


@pytest.mark.parametrize("opts", NO_RECORD)
def test_a_master_alone_that_keeps_no_record_goes_on_with_nothing(opts):
    assert lost_master.of_batch(JID, opts, {}).startswith(f"No more minions start batch {JID}.")
    assert lost_master.of_function("state.orchestrate", JID, opts).startswith("state.orchestrate ended")


def test_a_batch_of_a_password_does_not_go_on():
    assert "No more minions" in lost_master.of_batch(JID, CLUSTER, {"eauth": "pam", "password": "x"})
    assert "continues" in lost_master.of_batch(JID, CLUSTER, {"eauth": "pam", "token": "x"})


def test_other_runners_end_and_have_a_verdict_in_a_cluster():
    ended = "salt.cmd ended with it, and what it had begun is not repeated."

    assert lost_master.of_function("salt.cmd", JID, ALONE) == ended
    result = lost_master.of_function("salt.cmd", JID, CLUSTER)
    assert result == f"{ended} To see its verdict {OTHER}: salt-g run jobs.lookup_jid {JID}"
