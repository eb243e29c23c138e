"""Storage budgets: a minion's excess on the master is reported, others are not affected (property 22)."""

import contextlib
import sqlite3

import pytest

from salt_g.data import jid as jids
from salt_g.errors import SealBroken
from tests.support.peers import Peer, publish, run
from tests.support.waiting import until


def push(peer, name, size=600_000):
    return peer.ask({"cmd": "_file_recv", "path": [name], "loc": 0, "data": bytes(size), "size": size})


def test_pushed_files_of_one_minion_have_a_budget(start_master):
    master = start_master(file_recv=True, file_recv_max_total=1)
    greedy, other = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()

    pushed = [push(greedy, f"f{number}") for number in range(4)]

    assert pushed == [True, False, False, False]
    assert push(other, "f0") is True
    assert "file_recv_max_total" in master.log()
    assert len(list((master.cachedir / "minions" / "m1" / "files").rglob("f*"))) == 1


def test_unsolicited_returns_leave_little(start_master):
    master = start_master()
    peer = Peer(master, "m1", 0).sign_in()

    for _ in range(300):
        load = {"jid": jids.make(), "fun": "test.ping", "return": "x" * 60_000, "retcode": 0}
        peer.ask({"cmd": "_return", **load})

    held = sum(path.stat().st_size for path in master.cachedir.glob("store.sqlite*"))
    # 300 of them are 18 MB; the log that SQLite writes ahead may have 4 MB more than what is kept.
    assert held < 12_000_000
    assert run(master, "run", "jobs.list_jobs", "--out=json").out.strip() in ("{}", "")


def test_jobs_are_kept_up_to_a_size(start_master):
    master = start_master(keep_jobs_bytes=1_000_000, loop_interval=1)
    peer = Peer(master, "m1", 0).sign_in()
    made = []

    for _ in range(30):
        made.append(publish(master, "test.ping", tgt="m1")["jid"])
        load = {"jid": made[-1], "fun": "test.ping", "return": "x" * 100_000, "retcode": 0}
        peer.ask({"cmd": "_return", **load})

    until(lambda: made[0] not in run(master, "run", "jobs.list_jobs", "--out=json").out, "old jobs go")

    assert made[-1] in run(master, "run", "jobs.list_jobs", "--out=json").out


@pytest.mark.parametrize("size", [2_000, 20_000, 300_000])
def test_a_minions_own_returns_displace_no_job(start_master, size):
    budget = min(2_000_000, 100 * size)
    master = start_master(keep_jobs_bytes=budget, loop_interval=1)
    greedy, other = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()
    jid = publish(master, "test.ping", tgt="m2")["jid"]
    other.ask({"cmd": "_return", "jid": jid, "fun": "test.ping", "return": "whole", "retcode": 0})

    for number in range(5 * budget // (2 * size)):
        load = {"jid": "req", "fun": "test.arg", "return": "x" * size, "retcode": 0, "arg": [number]}
        greedy.ask({"cmd": "_return", **load})
    # Old jobs are removed every second; a job published now is seen after the second removal.
    until(lambda: held_by(master) < budget, "what is too much goes")

    assert jid in run(master, "run", "jobs.list_jobs", "--out=json").out
    assert "whole" in run(master, "run", "jobs.lookup_jid", jid, "--out=json").out


def test_the_share_of_a_minion_is_known_after_a_restart(start_master):
    master = start_master(keep_jobs_bytes=2_000_000, loop_interval=1)
    Peer(master, "m1", 0).sign_in()
    jid = publish(master, "test.ping", tgt="*")["jid"]
    for _ in range(2):
        greedy = signed_in_after_a_restart(master)
        for _ in range(60):
            greedy.ask({"cmd": "_return", "jid": "req", "fun": "test.arg", "return": "x" * 20_000})
        master.stop()
        master.start()

    assert held_by(master) <= 2_000_000 / 16 + 40_000
    assert jid in run(master, "run", "jobs.list_jobs", "--out=json").out


def signed_in_after_a_restart(master):
    """Return a peer that signs in again when it is refused, as a minion does.

    A restored session refuses requests from the second in which the last run ended.
    """
    peer = Peer(master, "m1", 0).sign_in()
    try:
        peer.ask({"cmd": "_file_envs"})
    except SealBroken:
        peer.sign_in()
    return peer


def held_by(master):
    """Return the bytes of jobs in the store."""
    with contextlib.closing(
        sqlite3.connect(f"file:{master.cachedir}/store.sqlite?mode=ro", uri=True)
    ) as store:
        return store.execute("SELECT bytes FROM held").fetchone()[0]
