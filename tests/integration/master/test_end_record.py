"""`--out-record` and `--explain` of jobs through a master."""

import json
import subprocess

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.end_records import checked
from tests.support.waiting import until

SLS = "loud: test.succeed_with_changes\nquiet:\n  test.nop:\n    - onchanges: [{test: loud}]\n"


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    master = shared_daemons.start_master()
    shared_daemons.start_minion(master, "a")
    (master.root / "states" / "web.sls").write_text(SLS)
    return master


@pytest.fixture
def recorded(fleet, salt, tmp_path):
    """Return a function that runs a job, and returns its record and its output."""

    def order(*words):
        path = tmp_path / "end.json"
        result = salt(fleet, f"--out-record={path}", *words)
        return checked(path), result

    return order


@pytest.mark.parametrize("options", [(), ("-b", "1"), ("--static",)])
def test_each_minion_has_its_verdict(recorded, options):
    record, result = recorded(*options, "*", "state.apply", "web")

    assert record["counts"] == {"changed": 1}
    assert record["minions"]["a"]["states"] == {"total": 2, "changed": 1, "failed": 0, "failed_ids": []}
    assert (record["exit_code"], result.code, record["target"], record["fun"]) == (0, 0, "*", "state.apply")
    assert record["jid"].isdigit()


def test_an_asynchronous_order_awaits_no_minion(recorded):
    record, _ = recorded("--async", "*", "test.ping")

    assert record["minions"] == {"a": {"verdict": "not awaited", "retcode": None}}


def test_an_accepted_minion_that_is_away_is_not_connected(recorded, fleet):
    keys = fleet.pki_dir / "minions"
    (keys / "gone").write_bytes((keys / "a").read_bytes())
    try:
        record, result = recorded("-L", "a,gone", "test.ping")
    finally:
        (keys / "gone").unlink()

    assert {id: one["verdict"] for id, one in record["minions"].items()} == {
        "a": "ok",
        "gone": "not connected",
    }
    assert result.code == record["exit_code"] == 1


def test_a_job_that_is_killed_is_ended_by_its_signal(fleet, salt, tmp_path):
    mark, path = tmp_path / "runs", tmp_path / "end.json"
    (fleet.root / "states" / "long.sls").write_text(f"touch {mark}; sleep 60: cmd.run\n")
    config = ["-c", str(fleet.config_dir)]
    words = [PROGRAM, *config, f"--out-record={path}", "a", "state.apply", "long"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        until(mark.exists, "the command")
        (job,) = salt(fleet, "a", "saltutil.running").minions["a"]
        salt(fleet, "a", "saltutil.kill_job", job["jid"])

    record = checked(path)
    assert (record["counts"], record["minions"]["a"]["signal"]) == ({"ended by signal": 1}, 9)
    report = outcome_of([PROGRAM, "run", *config, "--out=json", "jobs.report", job["jid"]])
    assert json.loads(report.out)["minions"]["a"]["signal"] == 9


def test_a_target_without_minions_is_recorded(recorded):
    record, result = recorded("nobody", "test.ping")

    assert (record["exit_code"], record["minions"], result.code) == (2, {}, 2)


def test_explanations_come_with_the_returns(fleet, salt):
    result = salt(fleet, "*", "state.apply", "web", "--explain")

    found = {one["__id__"]: one["explanation"]["because"] for one in result.minions["a"].values()}
    assert found == {"loud": [], "quiet": ["onchanges test loud: changed"]}
