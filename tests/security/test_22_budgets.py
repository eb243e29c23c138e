"""Property 22: what one minion leaves with a master has a budget; a full one is said, and others go on."""

from daemons import until
from peers import Peer, publish, run

from salt_g import jid as jids


def push(peer, name, size=600_000):
    return peer.ask({"cmd": "_file_recv", "path": [name], "loc": 0, "data": bytes(size), "size": size})


def test_22_pushed_files_of_one_minion_have_a_budget(start_master):
    master = start_master(file_recv=True, file_recv_max_total=1)
    greedy, other = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()

    pushed = [push(greedy, f"f{number}") for number in range(4)]

    assert pushed == [True, False, False, False]
    assert push(other, "f0") is True
    assert "file_recv_max_total" in master.log()
    assert len(list((master.cachedir / "minions" / "m1" / "files").rglob("f*"))) == 1


def test_22_unsolicited_returns_leave_little(start_master):
    master = start_master()
    peer = Peer(master, "m1", 0).sign_in()

    for _ in range(300):
        load = {"jid": jids.make(), "fun": "test.ping", "return": "x" * 60_000, "retcode": 0}
        peer.ask({"cmd": "_return", **load})

    held = sum(path.stat().st_size for path in master.cachedir.glob("store.sqlite*"))
    # 300 of them are 18 MB; the log that SQLite writes ahead may have 4 MB more than what is kept.
    assert held < 12_000_000
    assert run(master, "run", "jobs.list_jobs", "--out=json").stdout.strip() in ("{}", "")


def test_22_jobs_are_kept_up_to_a_size(start_master):
    master = start_master(keep_jobs_bytes=1_000_000, loop_interval=1)
    peer = Peer(master, "m1", 0).sign_in()
    made = []

    for _ in range(30):
        made.append(publish(master, "test.ping", tgt="m1")["jid"])
        load = {"jid": made[-1], "fun": "test.ping", "return": "x" * 100_000, "retcode": 0}
        peer.ask({"cmd": "_return", **load})

    until(lambda: made[0] not in run(master, "run", "jobs.list_jobs", "--out=json").stdout, "old jobs go")

    assert made[-1] in run(master, "run", "jobs.list_jobs", "--out=json").stdout
