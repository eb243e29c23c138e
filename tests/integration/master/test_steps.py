"""Live steps of state runs, from a minion to watching commands, with real daemons."""

import contextlib
import json
import os
import signal
import socket
import subprocess

import pytest

from salt_g.client.frames import frame
from tests.support.commands import Machine
from tests.support.waiting import until

#: Runs until the file `go` is there; then a second state.
SLS = """\
first:
  cmd.run:
    - name: "echo 'mysql --password=hunter2 Unpacking libssl3'; until test -e {go}; do sleep 0.05; done"
second:
  test.nop: []
"""


class Watching:
    """A watching command whose steps are read while it runs."""

    def __init__(self, master, *words):
        command = [Machine.program, words[0], "-c", str(master.config_dir), "--out=json", *words[1:]]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def step(self):
        """Return the next event."""
        return json.loads(self.process.stderr.readline())

    def until(self, accepts):
        """Return the first accepted event."""
        event = self.step()
        while not accepts(event):
            event = self.step()
        return event

    def end(self):
        """Return the returns and the remaining steps, after the end."""
        out, err = self.process.communicate(timeout=120)
        assert self.process.returncode == 0, err
        return json.loads(out), [json.loads(line) for line in err.splitlines() if line.startswith("{")]

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def watch():
    """Yield a function that starts a command that shows steps: `watch(master, "cmd", ...)`."""
    with contextlib.ExitStack() as stack:

        def start(*words):
            made = Watching(*words)
            stack.callback(made.close)
            return made

        yield start


@pytest.fixture
def go(daemon_root):
    """Return the file for which the first state waits."""
    return daemon_root / "go"


@pytest.fixture
def write(go):
    """Return a function that writes the state tree of a master."""

    def run(master):
        (master.root / "states" / "web.sls").write_text(SLS.format(go=go))

    return run


def is_first(event):
    return bool(event["now"]) and event["now"]["id"] == "first"


def test_a_step_is_reported_while_it_runs(start_master, start_minion, watch, write, go):
    master = start_master()
    write(master)
    start_minion(master)
    watching = watch(master, "cmd", "*", "state.apply", "web", "--steps", "json")

    event = watching.until(lambda event: is_first(event) and event["now"]["line"])

    assert (event["id"], event["total"]) == ("m1", 2)
    assert (event["now"]["n"], event["now"]["fun"]) == (1, "cmd.run")
    assert event["now"]["line"] == "mysql --password=REDACTED Unpacking libssl3"
    go.touch()
    returns, rest = watching.end()
    ended = [(step["n"], step["id"], step["verdict"]) for event in rest for step in event["done"]]
    assert ended == [(1, "first", "changed"), (2, "second", "ok")]
    places = {step["id"]: step["place"] for event in rest for step in event["done"]}
    assert places == {"first": "salt://web.sls:1", "second": "salt://web.sls:4"}
    assert len(returns["m1"]) == 2


def test_a_late_attach_shows_the_steps_so_far_and_the_rest(start_master, start_minion, watch, write, go):
    master = start_master()
    write(master)
    start_minion(master)
    first = watch(master, "cmd", "*", "state.apply", "web", "--steps", "json")
    jid = first.until(is_first)["jid"]

    second = watch(master, "attach", jid, "--steps", "json")

    assert second.step()["now"]["id"] == "first"
    go.touch()
    assert second.end()[0] == first.end()[0]
    # Also when it is over.
    assert list(watch(master, "attach", jid).end()[0]) == ["m1"]


def test_an_unknown_job_is_reported(start_master, watch):
    attached = watch(start_master(), "attach", "20200102030405678901")

    _, err = attached.process.communicate(timeout=60)

    assert attached.process.returncode == 2
    assert "there is no job 20200102030405678901" in err


def test_each_of_several_masters_gets_the_steps_of_its_jobs(start_master, start_minion, watch, write, go):
    one, two = start_master(), start_master()
    write(one)
    write(two)
    start_minion([one, two])
    for master in (one, two):
        watching = watch(master, "cmd", "*", "state.apply", "web", "--steps", "json")
        jid = watching.until(is_first)["jid"]
        other = two if master is one else one
        assert steps_of(master, jid)["m1"]["now"]["id"] == "first"
        assert steps_of(other, jid) == {}
        go.touch()
        watching.end()
        go.unlink()


def test_a_list_of_masters_in_turn_takes_steps_of_the_one_that_is_there(
    start_master, start_minion, watch, write, go, salt
):
    one, two = start_master(), start_master()
    write(two)
    one.stop()
    start_minion([one, two], master_type="failover", auth_timeout=1, auth_tries=1)
    until(lambda: answers(salt(two, "m1", "test.ping")), "it answers the second")
    watching = watch(two, "cmd", "*", "state.apply", "web", "--steps", "json")

    watching.until(is_first)
    go.touch()
    assert len(watching.end()[0]["m1"]) == 2


def test_a_reader_that_has_stopped_reading_holds_no_run_up(start_master, start_minion, watch, write, go):
    master = start_master()
    write(master)
    start_minion(master)
    with socket.socket(socket.AF_UNIX) as frozen:
        frozen.connect(os.path.join(master.sock_dir, "salt_g.ipc"))
        frozen.sendall(frame({"n": 1, "follow": [["salt/job/", "startswith"]]}))
        stopped = watch(master, "cmd", "*", "state.apply", "web", "--steps", "json")
        jid = stopped.until(is_first)["jid"]
        os.kill(stopped.process.pid, signal.SIGSTOP)
        go.touch()
        returns, _ = watch(master, "attach", jid).end()
        os.kill(stopped.process.pid, signal.SIGCONT)

    assert len(returns["m1"]) == 2
    assert stopped.end()[0] == returns


def test_a_call_on_one_machine_reports_steps_too(salt_g):
    salt_g.write({"web.sls": "x:\n  test.nop: []\n"})

    finished = salt_g("state.apply", "web", "--steps", "json")

    events = [json.loads(line) for line in finished.err.splitlines()]
    assert [step["id"] for event in events for step in event["done"]] == ["x"]
    assert len(finished.value) == 1


def steps_of(master, jid):
    """Return the master's record of a job, requested as its own command line does."""
    from salt_g.client.unix_link import UnixLink

    link = UnixLink(str(master.sock_dir))
    try:
        return until(lambda: [link.ask({"cmd": "steps", "jid": jid}, timeout=30)], "an answer")[0]
    finally:
        link.close()


def answers(outcome):
    """Return whether the minion answered; with no minion the reply is a sentence instead of a map."""
    return outcome.code == 0 and outcome.minions == {"m1": True}
