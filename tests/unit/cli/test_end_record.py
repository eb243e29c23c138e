"""The end record: verdicts, counts, and files that cannot be written."""

import os
import signal

import pytest

from salt_g.cli.end_record import CannotRecord, EndRecord
from salt_g.report.ended_jobs import ended_text
from tests.support.end_records import checked


@pytest.fixture
def path(tmp_path):
    return tmp_path / "record.json"


def state(result, changes=None, id="a"):
    return {"result": result, "changes": changes or {}, "__id__": id, "name": id, "comment": ""}


def written(path, fill, code=0, error=""):
    record = EndRecord(str(path))
    record.begin(jid="1", fun="state.apply", target="*", minions=["silent"])
    fill(record)
    record.write(code, error)
    return checked(path)


@pytest.mark.parametrize(
    ("value", "retcode", "verdict"),
    [
        (True, 0, "ok"),
        (True, 1, "failed"),
        (ended_text(9), 137, "ended by signal"),
        ({"a": state(True), "b": {**state(False), "comment": ended_text(15)}}, 143, "ended by signal"),
        ("Killed", 137, "failed"),
        ({"a": state(True), "b": state(True)}, 0, "ok"),
        ({"a": state(True), "b": state(True, {"x": 1})}, 0, "changed"),
        ({"a": state(None, {"x": 1}), "b": state(True)}, 0, "would change"),
        ({"a": state(False), "b": state(True, {"x": 1})}, 2, "failed"),
        ({"result": True, "changes": {}}, 0, "ok"),
        ([], 0, "ok"),
        ({}, 0, "ok"),
    ],
)
def test_a_return_becomes_a_verdict(path, value, retcode, verdict):
    found = written(path, lambda record: record.returned("m", value, retcode))

    assert found["minions"]["m"]["verdict"] == verdict
    assert found["counts"] == {"not awaited": 1, verdict: 1}


def test_a_state_run_has_its_counts(path):
    run = {"a": state(True, {"x": 1}), "b": state(False, id="web"), "c": state(True)}

    found = written(path, lambda record: record.returned("m", run, 2), code=1)

    assert found["minions"]["m"]["states"] == {"total": 3, "changed": 1, "failed": 1, "failed_ids": ["web"]}
    assert (found["exit_code"], found["fun"], found["target"], found["form"]) == (1, "state.apply", "*", 1)
    assert found["began"] <= found["ended"]


def test_minions_that_did_not_return_have_the_verdict_of_the_wait(path):
    def fill(record):
        record.silent("silent", "not connected")
        record.expect(["later", "silent"])

    found = written(path, fill, error="gone")

    assert found["counts"] == {"not connected": 1, "not awaited": 1}
    assert found["minions"]["silent"] == {"verdict": "not connected", "retcode": None}
    assert found["error"] == "gone"


@pytest.mark.parametrize(
    ("raised", "code", "error"),
    [
        (SystemExit(64), 64, ""),
        (SystemExit("no settings"), 1, "no settings"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (ValueError("bad"), 1, "bad"),
    ],
)
def test_a_command_that_raises_is_recorded_with_its_exit_code(path, raised, code, error):
    with pytest.raises(type(raised)), EndRecord(str(path)).writing():
        raise raised

    found = checked(path)
    assert (found["exit_code"], found["error"]) == (code, error)


def test_a_signal_that_ends_the_command_is_recorded(path):
    before = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        record = EndRecord(str(path))
        record.begin(jid="1", fun="test.ping", minions=["m"])
        with pytest.raises(SystemExit), record.writing():
            os.kill(os.getpid(), signal.SIGTERM)
            signal.pause()
    finally:
        signal.signal(signal.SIGTERM, before)

    found = checked(path)
    assert (found["exit_code"], found["counts"]) == (143, {"not awaited": 1})


def test_a_call_on_this_machine_that_a_signal_ends_is_ended_by_it(path):
    found = written(path, lambda record: record.ended_here(15), code=143)

    assert found["minions"]["silent"] == {"verdict": "ended by signal", "retcode": None, "signal": 15}


def test_the_exit_code_of_the_body_is_written(path):
    record = EndRecord(str(path))
    with record.writing() as ending:
        ending.code, ending.error = 2, "nobody"

    assert (checked(path)["exit_code"], checked(path)["error"]) == (2, "nobody")


def test_values_that_json_does_not_know_are_text(path):
    found = written(path, lambda record: record.begin(jid="1", fun=b"x", target="a"))

    assert found["fun"] == "b'x'"


@pytest.mark.parametrize(
    ("name", "reason"), [("", "is a directory; name a file"), ("no/record", "does not exist; create it")]
)
def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path, name, reason):
    with pytest.raises(CannotRecord, match=reason):
        EndRecord(str(tmp_path / name))


def test_without_a_path_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    EndRecord(None).write(0)

    assert list(tmp_path.iterdir()) == []
