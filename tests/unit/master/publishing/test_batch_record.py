"""Progress of a batch, from its record and the job cache."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.client.batch_window import BatchStep
from salt_g.data.run_record import RunRecord
from salt_g.errors import StoreError
from salt_g.master.publishing.batch_record import earlier_batch, keep_step

JID = "20260102030405678901"


@pytest.fixture
def jobs(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Jobs(store)


def test_steps_that_matter_are_kept():
    kept = {}
    record = RunRecord(lambda key, value: kept.update({key: value}) or True)

    for step in (
        BatchStep(found=(["a", "b"], ["c"])),
        BatchStep(started=["a"]),
        BatchStep(silent="a"),
        BatchStep(halted="stop"),
    ):
        keep_step(record, step)
    keep_step(None, BatchStep(started=["b"]))

    assert kept == {"found": (["a", "b"], ["c"]), "sent/a": ["a"]}


def test_a_slice_that_cannot_be_kept_ends_no_batch(caplog):
    def fail(key, value):
        raise StoreError("db1", "is away")

    keep_step(RunRecord(fail), BatchStep(started=["a"]))
    with pytest.raises(StoreError):
        keep_step(RunRecord(fail), BatchStep(found=(["a"], [])))

    assert "could not be recorded" in caplog.text


def test_a_slice_that_was_about_to_be_published_is_asked_for(jobs):
    jobs.save_load(JID, {"fun": "test.echo"}, ["a", "b", "c", "d"])
    jobs.save_return({"jid": JID, "id": "b", "return": 7, "retcode": 1}).result()
    queries = []

    def published(jid, ids):
        queries.append((jid, sorted(ids)))
        return {"c"}

    record = RunRecord(print, {"found": [["a", "b", "c", "d", "e"], ["f"]], "sent/a": ["a", "b"]})
    earlier = earlier_batch(JID, record, jobs, published)

    assert earlier.found == (["a", "b", "c", "d", "e"], ["f"])
    assert earlier.sent == {"a", "b", "c"}
    assert queries == [(JID, ["c", "d"])]
    assert [(one.id, one.data["return"], one.retcode) for one in earlier.returns] == [("b", 7, 1)]


def test_a_batch_that_had_found_no_minion_yet_begins_anew(jobs):
    assert earlier_batch(JID, RunRecord(print), jobs, lambda jid, ids: set(ids)) is None
