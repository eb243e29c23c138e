"""Orchestrations and batches that a master alone keeps for its next start."""

from types import SimpleNamespace

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.master.calls.own_runs import OwnRuns


class Calls:
    """Runner calls, or batches: `.resumed` is what was resumed."""

    def __init__(self, *, may_resume=True):
        self.resumed, self._may_resume = [], may_resume

    def resume(self, jid, noted, record, settle):
        self.resumed.append((jid, noted, record.recall_all("")))
        return self._may_resume


@pytest.fixture
def banks(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Banks(store)


def own_runs(banks, runners, batches):
    return OwnRuns(banks, {"runner": runners, "batch": batches}, drops_repeated=lambda id: True)


def test_an_unfinished_run_continues_with_its_kept_data(banks):
    runners, batches = Calls(), Calls()
    runs = own_runs(banks, runners, batches)
    runners.hooks.begin("1", {}, {"fun": "state.orch"}).keep("step/x", {"result": True})
    batches.hooks.begin("2", {}, {"load": {}})
    batches.hooks.begin("3", {}, {"load": {}}).check()
    batches.hooks.end("3")
    banks.store("x", "y", 1).result()
    assert runners.hooks.begin("4", {}, None) is None
    runs.resume(print)
    assert (runners.resumed, batches.resumed) == ([], [])

    again, others = Calls(), Calls()
    runs = own_runs(banks, again, others)
    # Before it is resumed, too.
    assert [jid for jid in "1234" if others.hooks.is_kept(jid)] == ["1", "2"]
    runs.resume(print)

    assert again.resumed == [("1", {"fun": "state.orch"}, [{"result": True}])]
    assert others.resumed == [("2", {"load": {}}, [])]
    again.hooks.end("1")
    others.hooks.end("2")
    assert not again.hooks.is_kept("1")
    banks.store("x", "y", 1).result()
    assert banks.list("runs") == []


def test_a_run_that_cannot_be_resumed_is_forgotten(banks, caplog):
    runners = Calls()
    own_runs(banks, runners, Calls())
    runners.hooks.begin("1", {}, {"fun": "state.orch"})
    banks.store("runs", "2", "nonsense").result()

    own_runs(banks, Calls(may_resume=False), Calls()).resume(print)

    banks.store("x", "y", 1).result()
    assert banks.list("runs") == []
    assert "1 ended together with the previous run of this master" in caplog.text
    assert "2 cannot be resumed" in caplog.text


def test_a_job_that_may_have_been_published_is_not_repeated_for_stocks_minions(banks):
    calls = SimpleNamespace(resume=print)
    OwnRuns(banks, {"batch": calls}, drops_repeated=lambda id: id == "ours", bank="others")

    assert calls.hooks.recipients("1", {"ours", "stock", "unknown"}) == {"stock", "unknown"}
