"""Several masters, a master that moves, and calls through one of them."""

import json
import subprocess

from tests.support.commands import PROGRAM
from tests.support.waiting import DEADLINE, until


def test_each_of_several_masters_orders_and_gets_its_returns(pair, start_minion, order):
    first, second = pair
    start_minion([first, second])
    # It is ready once it is connected to one of them.
    for master in pair:
        until(lambda master=master: order(master, "m1", "test.ping").get("m1") is True, "it answers each")

    assert order(first, "m1", "test.echo", "a") == {"m1": "a"}
    assert order(second, "m1", "test.echo", "b") == {"m1": "b"}


def test_failover_goes_to_the_next_master_and_returns_follow(pair, start_minion, order):
    first, second = pair
    start_minion(
        [first, second],
        master_type="failover",
        master_alive_interval=1,
        auth_timeout=1,
        auth_tries=1,
    )
    assert order(first, "m1", "test.ping") == {"m1": True}
    assert order(second, "m1", "test.ping") == {}

    first.stop()

    until(lambda: order(second, "m1", "test.ping", "-t", "5").get("m1") is True, "it answers the second")
    first.start()


def test_a_call_uses_the_master_and_leaves_its_return_there(start_master, start_minion, daemon_root):
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text("base:\n  '*': [who]\n")
    (master.root / "pillar" / "who.sls").write_text("who: world\n")
    minion = start_minion(master)

    finished = subprocess.run(
        [PROGRAM, "call", "-c", str(minion.config_dir), "--out=json", "pillar.get", "who", "unmask=True"],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    listed = subprocess.run(
        [PROGRAM, "run", "-c", str(master.config_dir), "--out=json", "jobs.list_jobs"],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )

    assert json.loads(finished.stdout) == {"local": "world"}, finished.stderr
    assert "pillar.get" in [job["Function"] for job in json.loads(listed.stdout).values()], listed.stderr


def test_a_call_whose_key_waits_says_how_to_accept_it(start_master, daemon_root):
    master = start_master(auto_accept=False)
    conf = daemon_root / "caller"
    conf.mkdir()
    (conf / "minion").write_text(f"id: caller\nmaster: 127.0.0.1:{master.ret_port}\nroot_dir: {conf}\n")

    finished = subprocess.run(
        [PROGRAM, "call", "-c", str(conf), "test.ping"], capture_output=True, text=True, timeout=DEADLINE
    )

    assert finished.returncode == 2
    assert "salt-g key -a caller" in finished.stderr


def test_a_minion_whose_key_waits_is_let_in_when_it_is_accepted(start_master, start_minion, order):
    master = start_master(auto_accept=False)
    minion = start_minion(master)
    assert not minion.is_connected

    accepted = subprocess.run(
        [PROGRAM, "key", "-c", str(master.config_dir), "-y", "-a", "m1"],
        capture_output=True,
        timeout=DEADLINE,
    )

    assert accepted.returncode == 0
    until(lambda: order(master, "m1", "test.ping", "-t", "5").get("m1") is True, "it answers")


def test_a_minion_without_a_master_runs_all_the_same(start_minion):
    minion = start_minion(master=None, master_type="disable")

    finished = subprocess.run(
        [
            PROGRAM,
            "call",
            "--local",
            "-c",
            str(minion.config_dir),
            "--out=json",
            "event.fire",
            "{a: 1}",
            "x/y",
        ],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )

    assert json.loads(finished.stdout) == {"local": True}
