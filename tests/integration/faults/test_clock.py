"""Clocks that jump: no peer is locked out, no job is lost or run twice, jids stay unique."""

import time

import pytest

from salt_g.data.jid import make as make_jid
from tests.support.waiting import until

HOUR, DAY = 3600, 86400
#: The clock of a process, moved by the seconds that a file holds.
MOVED = """\
import datetime
import pathlib
import time

file = pathlib.Path("{file}")
real_time, real_time_ns, real_class = time.time, time.time_ns, datetime.datetime


def offset():
    return int(file.read_text() or 0)


class Moved(real_class):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)


time.time = lambda: real_time() + offset()
time.time_ns = lambda: real_time_ns() + offset() * 1_000_000_000
datetime.datetime = Moved
"""


@pytest.fixture
def clocks(daemon_root, tools):
    """Return a function that gives a daemon a clock of its own, and returns the function that moves it."""

    def give(daemon):
        file = daemon_root / f"clock-{daemon.role}"
        file.write_text("0")

        def move(seconds):
            # In one step: the daemon reads it at any moment.
            new = file.with_suffix(".new")
            new.write_text(str(seconds))
            new.replace(file)

        daemon.program = tools.altered(MOVED.format(file=file), name=f"moved-{daemon.role}")
        return move

    return give


@pytest.fixture
def pair(make_master, make_minion, clocks):
    """Return (master, minion, move the master's clock, move the minion's), both running."""
    master = make_master()
    move_master = clocks(master)
    master.start()
    minion = make_minion(
        master=f"127.0.0.1:{master.ret_port}",
        schedule={"tick": {"function": "test.ping", "seconds": 1, "return_job": False}},
    )
    move_minion = clocks(minion)
    minion.start()
    return master, minion, move_master, move_minion


@pytest.mark.parametrize("steps", [(HOUR, 0), (-HOUR, 0), (30 * DAY, -30 * DAY)])
def test_the_minions_clock_jumps(pair, client, steps):
    master, minion, _, move = pair
    local = client(master)

    for step in steps:
        move(step)
        for number in range(3):
            assert local.cmd("m1", "test.echo", [number], timeout=30) == {"m1": number}
        ticks = minion.log().count("test.ping started")
        until(
            lambda ticks=ticks: minion.log().count("test.ping started") >= ticks + 2, "the schedule goes on"
        )

    # What is older than its session's newest request is refused, so it begins another session.
    assert minion.log().count("signed in as") == 2
    assert "Traceback" not in minion.log() + master.log()


@pytest.mark.parametrize("steps", [(HOUR, 0), (-HOUR, 0), (2 * DAY, -2 * DAY)])
def test_the_masters_clock_jumps(pair, client, run, steps):
    master, minion, move, _ = pair
    local = client(master)
    jids = [local.cmd_async("m1", "test.echo", ["first"])]
    until(lambda: run(master, "jobs.lookup_jid", jids[0]), "the return came")

    for step in steps:
        move(step)
        for number in range(3):
            jid = local.cmd_async("m1", "test.echo", [number])
            assert jid > max(jids)
            until(lambda jid=jid: local.get_cache_returns(jid), "the return came")
            assert run(master, "jobs.lookup_jid", jid) == {"m1": number}
            jids.append(jid)
        if step > 0:
            assert jids[-1] > make_jid(time.time_ns() + (step - 60) * 1_000_000_000)

    assert run(master, "manage.present") == ["m1"]
    assert "Traceback" not in minion.log() + master.log()


def test_a_restart_under_a_clock_that_was_set_back_locks_nobody_out(pair, client, run):
    master, minion, move_master, move_minion = pair
    move_master(2 * HOUR)
    move_minion(2 * HOUR)
    before = client(master).cmd_async("m1", "test.echo", ["before"])
    until(lambda: run(master, "jobs.lookup_jid", before), "the return came")

    move_master(0)
    move_minion(0)
    master.stop()
    master.start()

    after = client(master).cmd_async("m1", "test.echo", ["after"])
    until(lambda: run(master, "jobs.lookup_jid", after), "the return came")
    assert run(master, "jobs.lookup_jid", after) == {"m1": "after"}
    minion.stop()
    minion.start()
    assert client(master).cmd("m1", "test.echo", ["again"], timeout=30) == {"m1": "again"}
