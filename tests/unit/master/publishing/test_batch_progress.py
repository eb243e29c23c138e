"""Progress of a batch, from its notifications."""

import pytest

from salt_g.client.batch_window import Batch, Step
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.master.publishing.batch_progress import BatchProgress


@pytest.fixture
def moments():
    return [100.0]


@pytest.fixture
def course(moments):
    job = JobRequest("web*", "test.ping", [], "glob")
    return BatchProgress("1", job, Batch("50%", 0.0, False), "fred", clock=lambda: moments[0])


def returned(id):
    return Return(id, True)


def figures(course, *names):
    shown = course.as_map()
    return [shown[name] for name in names]


def test_minions_go_from_pending_to_active_to_completed(course):
    counts = ("total", "pending", "active", "completed", "failed")
    course.take(Step(found=(["a", "b", "c", "d"], [])))
    before = figures(course, *counts)
    course.take(Step(started=["a", "b"]))
    running = figures(course, *counts)
    course.take(returned("a"))
    course.take(Step(silent="b"))

    assert before == [4, 4, 0, 0, 0]
    assert running == [4, 2, 2, 0, 0]
    assert figures(course, *counts) == [4, 2, 0, 1, 1]
    assert course.at_work == set()


def test_a_late_return_turns_a_failure_into_a_success(course):
    course.take(Step(found=(["a"], [])))
    course.take(Step(started=["a"]))
    course.take(Step(silent="a"))

    course.take(returned("a"))

    assert figures(course, "completed", "failed", "pending") == [1, 0, 0]


def test_the_reason_of_a_halt_is_shown(course):
    assert figures(course, "halted", "halted_reason") == [False, None]

    course.take(Step(halted="failhard"))

    assert figures(course, "halted", "halted_reason") == [True, "failhard"]


def test_its_age_begins_anew_with_each_event(course, moments):
    moments[0] = 130.0
    assert figures(course, "created", "last_progress", "age_seconds") == [100.0, 100.0, 30.0]

    course.take(Step(found=(["a", "b", "c", "d"], [])))

    assert figures(course, "created", "last_progress", "age_seconds") == [100.0, 130.0, 0.0]
    assert figures(course, "batch_size", "user", "fun", "tgt") == [2, "fred", "test.ping", "web*"]


def test_its_end_is_waited_for(course):
    assert course.wait(0) is False

    course.end()

    assert course.wait(0) is True
