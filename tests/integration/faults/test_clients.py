"""Clients that disconnect, are interrupted, or read too slowly: the job and the master continue."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess

import pytest

from salt_g.client.frames import SOCKET, frame
from salt_g.client.unix_link import UnixLink
from tests.support.commands import PROGRAM
from tests.support.waiting import until

#: A large event (bytes), and so many that they are twice what may wait for a subscriber.
LARGE = 800 * 1024
EVENTS = 80
#: How much more memory twice as many events may need (bytes): they are as many again in 64 MB.
SPARE = 20 * 1024 * 1024


@pytest.fixture
def ask(ending):
    """Return a function that starts the command line: `ask(master, *words)`."""

    def start(master, *words):
        process = subprocess.Popen(
            [PROGRAM, "cmd", "-c", str(master.config_dir), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        ending.callback(process.communicate)
        ending.callback(process.kill)
        return process

    return start


def test_a_client_that_vanishes_in_the_middle_leaves_its_job_alone(
    start_master, start_minion, ask, run, tmp_path
):
    master = start_master()
    minion = start_minion(master)
    client = ask(master, "m1", "cmd.run", waiting_for(tmp_path / "go"), "--show-jid")
    jid = running_job(minion)

    client.kill()
    client.wait(30)
    (tmp_path / "go").touch()

    until(lambda: run(master, "jobs.lookup_jid", jid) == {"m1": "done"}, "the return came")
    assert "Traceback" not in master.log()


def test_ctrl_c_prints_the_jid_and_the_job_goes_on(start_master, start_minion, ask, run, tmp_path):
    master = start_master()
    minion = start_minion(master)
    client = ask(master, "m1", "cmd.run", waiting_for(tmp_path / "go"), "--show-jid")
    result = client.stdout.readline()
    jid = running_job(minion)

    client.send_signal(signal.SIGINT)
    _, err = client.communicate(timeout=30)
    (tmp_path / "go").touch()

    assert jid in result
    assert client.returncode == 1
    assert f"This job's jid is: {jid}" in err
    until(lambda: run(master, "jobs.lookup_jid", jid) == {"m1": "done"}, "the return came")


def test_a_client_learns_when_its_master_is_killed(start_master, start_minion, ask, tmp_path):
    master = start_master()
    minion = start_minion(master)
    client = ask(master, "m1", "cmd.run", waiting_for(tmp_path / "go"))
    running_job(minion)

    master.kill()
    _, err = client.communicate(timeout=30)
    (tmp_path / "go").touch()
    master.start()

    assert client.returncode not in (0, None)
    assert "was it stopped" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", [SOCKET, "master_event_pub.ipc"])
def test_a_client_that_reads_no_events_costs_bounded_memory_and_no_events_of_others(
    start_master, ending, name
):
    master = start_master()
    ending.enter_context(contextlib.closing(idle_follower(master.sock_dir / name)))
    reader = ending.enter_context(contextlib.closing(UnixLink(str(master.sock_dir))))
    writer = ending.enter_context(contextlib.closing(UnixLink(str(master.sock_dir))))
    reader.subscribe("flood")

    flood(writer, reader, EVENTS)
    before = resident_bytes(master.pid)
    flood(writer, reader, EVENTS)

    assert master.log().count("and loses events") == 1
    assert resident_bytes(master.pid) - before < SPARE


def flood(writer, reader, number):
    """Fire large events, each of which has to arrive at the readers."""
    for one in range(number):
        writer.fire("flood", {"number": one, "filling": "x" * LARGE})
        assert reader.next_event(30).data["number"] == one


def waiting_for(gate):
    """Return the command of a job that runs until a file appears."""
    return f"until [ -e {gate} ]; do sleep 0.1; done; echo done"


def running_job(minion):
    """Return the jid of the job that runs on a minion."""
    return until(lambda: [path.name for path in (minion.cachedir / "proc").glob("2*")], "a job runs")[0]


def idle_follower(path):
    """Follow every event on a socket of the master, and read none."""
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.connect(str(path))
    if path.name == SOCKET:
        peer.sendall(frame({"n": 1, "follow": [["", "startswith"]]}))
        # The answer says that it is followed; what comes after it stays unread.
        assert peer.recv(4)
    return peer


def resident_bytes(pid):
    """Return the resident memory of a process (bytes)."""
    pages = pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
