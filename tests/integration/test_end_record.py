"""`--out-record` of `salt-g call`: written however the call ends."""

import json


def recorded(salt_g, tmp_path, *words):
    path = tmp_path / "end.json"
    outcome = salt_g(*words, f"--out-record={path}")
    return outcome, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


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


def test_a_record_in_no_directory_keeps_the_call_from_running(salt_g, tmp_path):
    mark = tmp_path / "ran"

    outcome = salt_g("file.touch", str(mark), f"--out-record={tmp_path}/none/end.json")

    assert outcome.code != 0
    assert f"--out-record: the directory {tmp_path}/none does not exist; create it" in outcome.err
    assert not mark.exists()
