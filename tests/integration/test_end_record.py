"""`--out-record` of `salt-g call`: written whichever way the call ends."""

import signal
import subprocess

from tests.support.end_records import checked
from tests.support.waiting import until


def recorded(salt_g, tmp_path, *words):
    path = tmp_path / "end.json"
    outcome = salt_g(*words, f"--out-record={path}")
    return outcome, checked(path) if path.exists() else None


def test_a_state_run_is_recorded(salt_g, tmp_path):
    salt_g.write({"a.sls": "good: test.succeed_with_changes\nbad: test.fail_without_changes\n"})

    outcome, record = recorded(salt_g, tmp_path, "state.apply", "a")

    ((_, verdict),) = record["minions"].items()
    assert verdict["states"] == {"total": 2, "changed": 1, "failed": 1, "failed_ids": ["bad"]}
    assert (verdict["verdict"], record["exit_code"], record["fun"]) == ("failed", outcome.code, "state.apply")
    assert record["jid"]


def test_a_call_that_fails_before_it_runs_is_recorded(salt_g, tmp_path):
    outcome, record = recorded(salt_g, tmp_path, "test.pong")

    assert record["exit_code"] == outcome.code != 0
    assert [one["verdict"] for one in record["minions"].values()] == ["not awaited"]
    assert record["error"] == "'test.pong' is not available."


def test_a_function_that_raises_has_failed(salt_g, tmp_path):
    outcome, record = recorded(salt_g, tmp_path, "test.exception", "oh no")

    assert [one["verdict"] for one in record["minions"].values()] == ["failed"]
    assert (record["exit_code"], record["error"]) == (outcome.code, "Exception: oh no")


def test_a_call_that_is_ended_by_a_signal_is_recorded(salt_g, tmp_path):
    path, mark = tmp_path / "end.json", tmp_path / "runs"
    salt_g("test.ping")
    words = [salt_g.program, "call", "-c", str(salt_g.conf), "--local", f"--out-record={path}"]
    words += ["cmd.run", f"touch {mark}; sleep 60"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until(mark.exists, "the command")
        process.send_signal(signal.SIGTERM)

    record = checked(path)
    assert record["exit_code"] == process.returncode == 143
    ((_, minion),) = record["minions"].items()
    assert (minion["verdict"], minion["signal"]) == ("ended by signal", 15)


def test_a_record_in_no_directory_keeps_the_call_from_running(salt_g, tmp_path):
    mark = tmp_path / "ran"

    outcome = salt_g("file.touch", str(mark), f"--out-record={tmp_path}/none/end.json")

    assert outcome.code != 0
    assert f"--out-record: the directory {tmp_path}/none does not exist; create it" in outcome.err
    assert not mark.exists()
