"""Orchestrations and batches that a single master records for its next start."""

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


class Master:
    """One run of a master: its records, and what it records or resumes."""

    def __init__(self, banks, *, may_resume=True):
        self.runs = OwnRuns(banks, drops_repeated=lambda id: id == "ours")
        self.runners, self.batches = Calls(may_resume=may_resume), Calls(may_resume=may_resume)
        self.runner_hooks, self.batch_hooks = self.runs.hooks("runner"), self.runs.hooks("batch")

    def resume(self):
        self.runs.resume({"runner": self.runners.resume, "batch": self.batches.resume}, print)


def test_an_unfinished_run_continues_with_its_kept_data(banks):
    first = Master(banks)
    first.runner_hooks.begin("1", {}, {"fun": "state.orch"}).keep("step/x", {"result": True})
    first.batch_hooks.begin("2", {}, {"load": {}})
    first.batch_hooks.begin("3", {}, {"load": {}}).check()
    first.batch_hooks.end("3")
    banks.store("x", "y", 1).result()
    assert first.runner_hooks.begin("4", {}, None) is None
    first.resume()
    assert (first.runners.resumed, first.batches.resumed) == ([], [])

    again = Master(banks)
    # Before it is resumed, too.
    assert [jid for jid in "1234" if again.batch_hooks.is_kept(jid)] == ["1", "2"]
    again.resume()

    assert again.runners.resumed == [("1", {"fun": "state.orch"}, [{"result": True}])]
    assert again.batches.resumed == [("2", {"load": {}}, [])]
    again.runner_hooks.end("1")
    again.batch_hooks.end("2")
    assert not again.runner_hooks.is_kept("1")
    banks.store("x", "y", 1).result()
    assert banks.list("runs") == []


def test_a_run_that_cannot_be_resumed_is_forgotten(banks, caplog):
    Master(banks).runner_hooks.begin("1", {}, {"fun": "state.orch"})
    banks.store("runs", "2", "nonsense").result()

    Master(banks, may_resume=False).resume()

    banks.store("x", "y", 1).result()
    assert banks.list("runs") == []
    assert "1 ended together with the previous run of this master" in caplog.text
    assert "2 cannot be resumed" in caplog.text


def test_a_job_that_may_have_been_published_is_not_repeated_for_stocks_minions(banks):
    hooks = Master(banks).batch_hooks

    assert hooks.recipients("1", {"ours", "stock", "unknown"}) == {"stock", "unknown"}
