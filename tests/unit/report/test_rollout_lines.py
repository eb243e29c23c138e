"""Lines about rollouts."""

from salt_g.report.rollout_lines import failure_lines, list_line, summary_line


def wave(state="waiting", done=0, **failed):
    return {"size": 10, "state": state, "minions": [], "failed": failed, "done": done}


def status(*waves, **more):
    return {
        "jid": "20260102030405678901",
        "function": "state.apply",
        "arguments": [],
        "target": "web*",
        "user": "ann",
        "state": "running",
        "waves": list(waves),
        "reached": 12,
        "total": 100,
        "untouched": 88,
        "stopped": None,
        "undone": 0,
        "started": 0.0,
        "ended": None,
        "away": [],
        "undo_failed": {},
        **more,
    }


def test_a_stopped_rollout_reports_its_wave_the_reason_and_the_rest():
    found = status(
        wave("done", 2),
        wave("failed", 9, web8="check http.query http://x: status 500, not 200"),
        wave(),
        wave(),
        state="undone",
        stopped="10 % > 5 %",
        undone=12,
    )

    assert summary_line(found) == (
        "wave 2 of 4: 9 done, 1 failed check (web8) · stopped: 10 % > 5 % · 88 untouched · undone on 12"
    )
    assert failure_lines(found) == ["web8: check http.query http://x: status 500, not 200"]


def test_failures_are_counted_by_kind_and_few_are_named():
    found = status(
        wave("checking", 3, a="no answer", b="retcode 2", c="retcode 2", d="retcode 1", e="retcode 1"),
        away=["x"],
        undo_failed={"b": "/etc/motd was edited"},
    )

    assert summary_line(found) == (
        "wave 1 of 1: checking, 3 done, 4 failed (b, c, d and 1 more), 1 without answer (a)"
        " · 1 away (x) · 88 untouched · not undone on 1 (b)"
    )
    assert failure_lines(found)[1] == "b: not undone: /etc/motd was edited"


def test_one_that_has_ended_well_and_one_that_waits():
    done = status(wave("done", 10), state="done", reached=100, untouched=0)
    assert summary_line(done) == "wave 1 of 1: 10 done · done: 100 of 100"
    assert summary_line(status(state="paused")) == "not begun · paused · 88 untouched"


def test_a_list_has_a_line_for_each():
    line = list_line(status(wave("running", 1), target=["a", "b"]))

    assert line == (
        "20260102030405678901  ann  running  state.apply a,b  wave 1 of 1: running, 1 done · 88 untouched"
    )
