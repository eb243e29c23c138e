"""Progress of a batch, from its notifications."""

import pytest

from salt_g.client.batch_window import Batch, BatchStep
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.master.publishing.batch_progress import BatchProgress


@pytest.fixture
def moments():
    return [100.0]


@pytest.fixture
def progress(moments):
    job = JobRequest("web*", "test.ping", [], "glob")
    return BatchProgress("1", job, Batch("50%", 0.0, False), "fred", clock=lambda: moments[0])


def returned(id):
    return Return(id, True)


def figures(progress, *names):
    shown = progress.as_map()
    return [shown[name] for name in names]


def test_minions_go_from_pending_to_active_to_completed(progress):
    counts = ("total", "pending", "active", "completed", "failed")
    progress.take(BatchStep(found=(["a", "b", "c", "d"], [])))
    before = figures(progress, *counts)
    progress.take(BatchStep(started=["a", "b"]))
    running = figures(progress, *counts)
    progress.take(returned("a"))
    progress.take(BatchStep(silent="b"))

    assert before == [4, 4, 0, 0, 0]
    assert running == [4, 2, 2, 0, 0]
    assert figures(progress, *counts) == [4, 2, 0, 1, 1]
    assert progress.at_work == set()


def test_a_late_return_turns_a_failure_into_a_success(progress):
    progress.take(BatchStep(found=(["a"], [])))
    progress.take(BatchStep(started=["a"]))
    progress.take(BatchStep(silent="a"))

    progress.take(returned("a"))

    assert figures(progress, "completed", "failed", "pending") == [1, 0, 0]


def test_the_reason_of_a_halt_is_shown(progress):
    assert figures(progress, "halted", "halted_reason") == [False, None]

    progress.take(BatchStep(halted="failhard"))

    assert figures(progress, "halted", "halted_reason") == [True, "failhard"]


def test_its_age_begins_anew_with_each_event(progress, moments):
    moments[0] = 130.0
    assert figures(progress, "created", "last_progress", "age_seconds") == [100.0, 100.0, 30.0]

    progress.take(BatchStep(found=(["a", "b", "c", "d"], [])))

    assert figures(progress, "created", "last_progress", "age_seconds") == [100.0, 130.0, 0.0]
    assert figures(progress, "batch_size", "user", "fun", "tgt") == [2, "fred", "test.ping", "web*"]


def test_its_end_is_waited_for(progress):
    assert progress.wait(0) is False

    progress.end()

    assert progress.wait(0) is True
