"""Counts of a rollout."""

import pytest

from salt_g.master.rollouts.rollout_progress import RolloutProgress


@pytest.fixture
def progress():
    made = RolloutProgress("1", function="test.ping", arguments=[], target="*", user="ann", started=5.0)
    made.find([["a"], ["b", "c"]], ["d"], ["gone"])
    return made


def test_minions_are_counted_by_what_became_of_them(progress):
    progress.begin(["a"])
    progress.end_minion(0, "a", "")
    progress.set_wave(0, "done")
    progress.begin(["b", "c"])
    progress.end_minion(1, "b", "retcode 2")
    progress.end_minion(1, "c", "")
    progress.fail_check(1, "c", "check x: False")
    progress.fail_check(1, "c", "check y: False")

    found = progress.as_map()

    assert (found["total"], found["reached"], found["untouched"], found["away"]) == (5, 3, 2, ["gone"])
    assert [wave["done"] for wave in found["waves"]] == [1, 0]
    assert progress.failed(1) == {"b": "retcode 2", "c": "check x: False"}
    assert (progress.number_failed, progress.begun) == (2, ["a", "b", "c"])
    assert (found["state"], found["started"], found["ended"]) == ("running", 5.0, None)


def test_a_wave_is_taken_from_what_was_kept_of_it(progress):
    progress.begin(["b"])
    progress.end_minion(1, "b", "no answer")
    again = RolloutProgress("1", function="test.ping", arguments=[], target="*", user="ann", started=5.0)
    again.find([["a"], ["b", "c"]], [], [])

    again.restore_wave(1, progress.keep_wave(1))

    assert again.keep_wave(1) == progress.keep_wave(1) == {
        "failed": {"b": "no answer"}, "done": 0, "begun": ["b"],
    }  # fmt: skip


def test_it_is_paused_while_it_runs_and_ends_once(progress):
    assert [progress.pause(is_paused=flag) for flag in (True, True, False)] == [True, False, True]
    progress.set_wave(0, "soaking")
    progress.stop("10 % > 5 %")
    progress.stop("by ann")
    progress.undo(["a"], {"b": "edited"})
    progress.end(9.0, is_undone=True)

    found = progress.as_map()
    assert (found["state"], found["stopped"], found["ended"]) == ("undone", "10 % > 5 %", 9.0)
    assert (found["undone"], found["undo_failed"]) == (1, {"b": "edited"})
    assert [wave["state"] for wave in found["waves"]] == ["failed", "waiting"]
    assert progress.pause(is_paused=True) is False


def test_a_status_does_not_change_afterwards(progress):
    before = progress.as_map()
    progress.begin(["a"])

    assert (before["reached"], progress.as_map()["reached"], progress.state) == (0, 1, "running")
    progress.end(1.0)
    assert (progress.state, progress.stopped) == ("done", "")
