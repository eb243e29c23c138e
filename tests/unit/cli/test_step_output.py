"""Live steps as shown to a person and to a program."""

import json

import pytest

from salt_g.cli import step_output
from salt_g.cli.live_line import cut
from salt_g.client.return_collector import Return, ReturnCollector, RunProgress

JID = "20260102030405678901"


@pytest.fixture
def watch():
    return ReturnCollector(JID, ["web1", "web2", "web3"], timeout=5, gather_timeout=10, now=0.0)


def event(*done, now=None, total=80):
    steps = [
        {"n": n, "id": f"s{n}", "fun": "test.nop", "place": "", "verdict": verdict, "ms": 1}
        for n, verdict in enumerate(done, 1)
    ]
    return {"total": total, "done": steps, "now": now}


def test_the_line_names_the_slowest_minion_and_its_step(watch):
    now = {"n": 3, "id": "nginx", "fun": "pkg.installed", "since": 0.0, "line": "Unpacking libssl3"}
    watch.take_steps("web3", event("ok", "changed", now=now))
    watch.take_steps("web1", event("ok", "ok", "failed"))

    text = step_output.job_line(watch)

    assert text == '3/3 running · 1 failed · web3 2/80 pkg.installed nginx (0 s) "Unpacking libssl3"'


def test_minions_that_have_returned_run_no_more(watch):
    watch.take_steps("web3", event("ok"))
    watch.returns["web3"] = Return("web3", {"id": "web3", "retcode": 0})

    assert step_output.job_line(watch) == "2/3 running"


def test_progress_events_of_stock_are_shown_without_steps(watch):
    watch.progress["web2"] = RunProgress(3, 4)

    assert step_output.job_line(watch) == "3/3 running · web2 3/4"


def test_steps_of_minions_that_are_not_expected_are_left_out(watch):
    watch.take_steps("db1", event("ok"))

    assert not watch.has_progress()


def test_a_program_gets_a_line_for_each_event(capsys):
    with step_output.watching("json", "m1") as record:
        record.begin_run(1)
        record.end(1, "x", "test.nop", "salt://a.sls", {"result": True, "changes": {}, "duration": 3})

    result = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(one["id"], len(one["done"])) for one in result if one["done"]] == [("m1", 1)]


def test_a_line_is_removed_at_the_end(capsys):
    with step_output.watching("line", "m1") as record:
        record.begin_run(2)
        record.end(1, "x", "test.nop", "", {"result": True, "changes": {}, "duration": 3})

    shown = capsys.readouterr().err
    assert "\r1/2 test.nop x\x1b[K" in shown
    assert shown.endswith("\r\x1b[K")


def test_nothing_is_recorded_without_a_reader():
    with step_output.watching("none", "m1") as record:
        assert record is None


@pytest.mark.parametrize(
    ("option", "fun", "way"),
    [
        (None, "state.apply", "none"),
        ("json", "state.apply", "json"),
        ("line", "state.apply", "line"),
        ("json", ["test.ping", "state.highstate"], "json"),
        ("json", "test.ping", "none"),
    ],
)
def test_only_state_runs_have_steps(option, fun, way):
    assert step_output.way_of(option, fun, {}) == way


def test_a_long_line_is_cut():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
