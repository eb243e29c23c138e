"""Interrupted minions and jobs: no return is lost, none is invented."""

import contextlib
import json
import re
import signal
import subprocess
import sys

import pytest

from salt_g.wire.packing import unpack
from tests.support.commands import Machine
from tests.support.waiting import until


@pytest.fixture
def client():
    """Yield a function that makes a LocalClient of a master, closed at the end.

    Each start of the master needs a new one.
    """
    from salt_g.client import LocalClient

    with contextlib.ExitStack() as stack:
        yield lambda master: stack.enter_context(LocalClient(c_path=str(master.config_dir / "master")))


def returned(client, jid, id="m1"):
    """Return the stored return of a job."""
    return client.get_cache_returns(jid).get(id)


def test_a_return_that_the_master_could_not_take_comes_when_it_is_back(start_master, start_minion, client):
    master = start_master()
    minion = start_minion(master)
    jid = client(master).cmd_async("m1", "test.sleep", [2])
    until(lambda: (minion.cachedir / "proc" / jid).exists(), "the job began")

    master.kill()
    until(lambda: list((minion.cachedir / "returns").glob("2*")), "the return is on disk")
    master.start()
    again = client(master)

    assert until(lambda: returned(again, jid), "the return came")["ret"] is True
    until(lambda: not list((minion.cachedir / "returns").iterdir()), "the spool is empty")


def test_a_return_survives_the_minion(start_master, start_minion, client):
    master = start_master()
    minion = start_minion(master)
    jid = client(master).cmd_async("m1", "test.sleep", [2])
    until(lambda: (minion.cachedir / "proc" / jid).exists(), "the job began")
    master.kill()
    until(lambda: list((minion.cachedir / "returns").glob("2*")), "the return is on disk")

    minion.kill()
    master.start()
    minion.start()
    again = client(master)

    assert until(lambda: returned(again, jid), "the return came")["ret"] is True


def test_a_job_that_a_kill_ended_is_not_running_afterwards(start_master, start_minion, client):
    master = start_master()
    local = client(master)
    minion = start_minion(master)
    jid = local.cmd_async("m1", "cmd.run", ["sleep 600"])
    until(lambda: (minion.cachedir / "proc" / jid).exists(), "the job began")

    minion.kill()
    minion.start()

    assert local.cmd("m1", "saltutil.find_job", [jid], timeout=60) == {"m1": {}}
    assert not (minion.cachedir / "proc" / jid).exists()
    assert until(lambda: returned(local, jid), "the return came")["ret"] == (
        "ERROR: the minion was ended while it ran this job; what it had changed by then stays"
    )
    assert run_json(master, "jobs.exit_success", jid) == {"m1": False}


def test_a_terminated_minion_returns_its_unfinished_jobs_as_failed(start_master, start_minion, client):
    master = start_master()
    local = client(master)
    minion = start_minion(master)
    jid = local.cmd_async("m1", "cmd.run", ["sleep 600"])
    until(lambda: (minion.cachedir / "proc" / jid).exists(), "the job began")

    minion.stop()
    kept = [unpack(path.read_bytes()) for path in (minion.cachedir / "returns").iterdir()]
    minion.start()

    # Nothing is left where the master has taken it already.
    assert {entry["load"]["retcode"] for entry in kept} <= {128 + 15}
    result = until(lambda: returned(local, jid), "the return came")
    assert re.fullmatch(
        r"ERROR: the job was ended by signal 15; ended with it: .*sleep 600 \(pid \d+\)", result["ret"]
    )


def test_jobs_may_finish_when_the_minion_ends(start_master, start_minion, client, tmp_path):
    master = start_master()
    local = client(master)
    minion = start_minion(master, job_stop_timeout=30)
    go = tmp_path / "go"
    jid = local.cmd_async("m1", "cmd.run", [f"until [ -e {go} ]; do sleep 0.1; done; echo done"])
    until(lambda: (minion.cachedir / "proc" / jid).exists(), "the job began")

    minion.send_signal(signal.SIGTERM)
    late = local.cmd_async("m1", "test.echo", ["late"])
    queue = minion.cachedir / "queues"
    until(lambda: list(queue.glob(f"*/job_queue/queued_*_{late}.p")), "the new job waits")
    go.touch()
    result = until(lambda: returned(local, jid), "the return came")["ret"]
    minion.stop()
    minion.start()

    assert result == "done"
    assert until(lambda: returned(local, late), "the new job ran after the start")["ret"] == "late"
    assert list(queue.glob("*/job_queue/*")) == []


def test_a_state_run_that_is_cut_returns_the_results_so_far(start_master, start_minion, client, tmp_path):
    master = start_master()
    local = client(master)
    minion = start_minion(master)
    started = tmp_path / "started"
    high = {
        "first": {"test": ["succeed_with_changes"]},
        "second": {"cmd": ["run", {"name": f"touch {started}; sleep 600"}, {"require": [{"test": "first"}]}]},
        "third": {"test": ["nop", {"require": [{"cmd": "second"}]}]},
    }
    jid = local.cmd_async("m1", "state.high", [high])
    until(started.exists, "the second state began")

    minion.stop()
    minion.start()
    result = until(lambda: returned(local, jid), "the return came")

    results = {ret["__id__"]: (ret["result"], ret["comment"]) for ret in result["ret"].values()}
    assert results == {
        "first": (True, "Success!"),
        "second": (False, "ERROR: the job was ended by signal 15"),
    }


def test_of_a_minion_that_was_killed_the_master_knows_the_step_and_the_time(
    start_master, start_minion, client, tmp_path
):
    master = start_master()
    local = client(master)
    minion = start_minion(master)
    record = tmp_path / "record.json"
    second = {"cmd": ["run", {"name": "sleep 600"}, {"require": [{"test": "first"}]}]}
    states = {"first": {"test": ["nop"]}, "second": second}
    command = [Machine.program, "m1", "-c", str(master.config_dir), "-t", "3"]
    command += [f"--out-record={record}", "--steps=json", "state.high", json.dumps(states)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stderr.readline()
        while '"id": "second"' not in line:
            assert line, process.communicate()
            line = process.stderr.readline()
        minion.kill()
        out, _ = process.communicate(timeout=120)

    result = json.loads(record.read_text())["minions"]["m1"]
    assert "[Not connected]" in out
    assert "It had received the job: 1 of 2 states were done, in cmd.run second." in out
    assert "Last heard of at 2" in out
    assert result["received"] is True
    assert (result["step"]["done"], result["step"]["id"]) == (1, "second")
    jid = json.loads(record.read_text())["jid"]
    report = run_json(master, "jobs.report", jid)["minions"]["m1"]
    assert (report["verdict"], report["received"], report["step"]["id"]) == ("silent", True, "second")
    # Each is reckoned from two clocks that are read one after the other.
    assert report["heard"] == pytest.approx(result["heard"], abs=1)
    # When it is back, the job is closed.
    minion.start()
    assert "the minion was ended" in until(lambda: returned(local, jid), "the return came")["ret"]


#: Starts programs that leave and writes their ids: a child in its own session, and a daemon without parents
#: and without the environment.
LEAVING = """
import os, subprocess, sys
here = sys.argv[1]
child = subprocess.Popen(["sleep", "601"], start_new_session=True)
open(here + "/child", "w").write(str(child.pid))
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.chdir("/")
        open(here + "/daemon", "w").write(str(os.getpid()))
        os.execve("/bin/sleep", ["sleep", "602"], {})
    os._exit(0)
child.wait()
"""


@pytest.mark.parametrize("how", ["kill_job", "term_job"])
def test_a_job_is_ended_with_what_left_its_process_group(start_master, start_minion, client, tmp_path, how):
    master = start_master()
    local = client(master)
    start_minion(master)
    (tmp_path / "leaving.py").write_text(LEAVING)
    command = f"{sys.executable} {tmp_path}/leaving.py {tmp_path}"
    states = {"leave": {"cmd": ["run", {"name": command}, {"parallel": how == "term_job"}]}}
    jid = local.cmd_async("m1", "state.high", [states])
    until(lambda: all(written(tmp_path / name) for name in ("child", "daemon")), "the programs began")
    pids = [int(written(tmp_path / name)) for name in ("child", "daemon")]
    outside = subprocess.Popen(["sleep", "603"], start_new_session=True)

    local.cmd("m1", f"saltutil.{how}", [jid], timeout=60)
    until(lambda: returned(local, jid), "the return came")

    kept = local.get_cache_returns(jid)["m1"]
    assert not [pid for pid in pids if is_alive(pid)]
    assert outside.poll() is None
    outside.kill()
    outside.wait()
    result = run_json(master, "jobs.exit_success", jid)
    assert result == {"m1": False}
    assert kept["ret"], "the states so far"
    record = run_json(master, "jobs.list_job", jid)["Result"]["m1"]
    assert {entry["pid"] for entry in record["ended"]} >= set(pids)
    assert any("sleep 602" in entry["command"] for entry in record["ended"])


def written(path):
    return path.read_text() if path.exists() else ""


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def run_json(master, *words):
    command = [Machine.program, "run", "-c", str(master.config_dir), "--out=json", *words]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_job_is_ended_with_its_programs(start_master, start_minion, client, tmp_path):
    master = start_master()
    local = client(master)
    minion = start_minion(master)
    pid_file = tmp_path / "pid"
    jid = local.cmd_async("m1", "cmd.run", [f"echo $$ > {pid_file}; sleep 600 & sleep 600"])
    pid = until(lambda: pid_file.exists() and pid_file.read_text().strip(), "the program began")

    result = local.cmd("m1", "saltutil.kill_job", [jid], timeout=60)

    assert result == {"m1": f"Signal 9 sent to job {jid} at pid {pid}"}
    ended = until(lambda: returned(local, jid), "the return came")
    assert ended["ret"].startswith("ERROR: the job was ended by signal 9; ended with it: ")
    assert ended["ret"].count("(pid ") == 3
    assert local.cmd("m1", "saltutil.running", timeout=60) == {"m1": []}
    assert minion.is_running()


def test_one_run_of_states_at_a_time(start_master, start_minion, client):
    master = start_master()
    local = client(master)
    (master.root / "states" / "slow.sls").write_text("wait:\n  module.run:\n    - test.sleep: [4]\n")
    minion = start_minion(master)
    first = local.cmd_async("m1", "state.apply", ["slow"])
    until(lambda: (minion.cachedir / "proc" / first).exists(), "the first run began")
    until(lambda: local.cmd("m1", "state.running", timeout=60)["m1"], "it holds the lock")

    second = local.cmd("m1", "state.apply", ["slow"], timeout=60)

    assert second["m1"][0].startswith(f'The function "state.apply" is running as PID {minion.pid}')
    assert first in second["m1"][0]
    ended = until(lambda: returned(local, first), "the first run ended")
    assert [entry["result"] for entry in ended["ret"].values()] == [True]


@pytest.mark.parametrize(
    "moment",
    ["it is published", "it started", "its command began", "its command ended", "it ended", "it returned"],
)
def test_killed_at_any_point_of_a_job_a_minion_returns_it_or_has_forgotten_it(
    start_master, start_minion, client, tmp_path, moment
):
    master = start_master()
    local = client(master)
    minion = start_minion(master)

    for number in range(4):
        began, ended = tmp_path / f"began-{number}", tmp_path / f"ended-{number}"
        jid = local.cmd_async("m1", "cmd.run", [f"touch {began}; sleep 0.2; touch {ended}; echo done"])
        has_come = {
            "it is published": lambda: True,
            "it started": lambda jid=jid: f"{jid}: cmd.run started" in minion.log(),
            "its command began": began.exists,
            "its command ended": ended.exists,
            "it ended": lambda jid=jid: f"{jid}: cmd.run ended" in minion.log(),
            "it returned": lambda jid=jid: returned(local, jid),
        }
        until(has_come[moment], moment)
        minion.kill()
        spool = minion.cachedir / "returns"
        is_owed = any(path.name.startswith(jid) for path in spool.iterdir())
        minion.start()

        if is_owed or returned(local, jid):
            result = until(lambda jid=jid: returned(local, jid), "the return came")["ret"]
            assert result == "done" or (not is_owed and result.startswith("ERROR: the minion was ended"))
        else:
            assert local.cmd("m1", "saltutil.find_job", [jid], timeout=60) == {"m1": {}}
        until(lambda spool=spool: not list(spool.iterdir()), "the spool is empty")
