"""Log lines: they cannot be forged, and floods are counted (property 23)."""

import re

from salt_g.wire.envelope import seal_clear
from tests.support.hostile_master import running_hostile_master
from tests.support.peers import Peer, ask_clear, ask_raw, ask_socket, publish, sign_in_load

#: Text that would start a line of its own, or control a terminal.
FORGED = "x\n[CRITICAL] root has signed in\r\n\x1b[2J\x1b[31mred\x9b2J\u2028end\x00\x7f"
#: Characters that no log may contain, apart from line ends.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def assert_unforged(log):
    # Continuation lines are indented, so that they cannot start an entry.
    lines = log.split("\n")
    assert not [line for line in lines if line.startswith("[CRITICAL] root has")], "a line was forged"
    # A daemon's terminal output may be coloured; this is none.
    assert not CONTROL.search(log)


def test_messages_of_peers_forge_no_line_of_the_masters_log(start_master):
    master = start_master(log_level="debug")
    peer = Peer(master, "m1", 0).sign_in()

    ask_raw(master.ret_port, seal_clear(sign_in_load(id=FORGED), version=3))
    ask_clear(master, {"cmd": FORGED})
    ask_clear(
        master, {"cmd": "publish", "fun": FORGED, "tgt": FORGED, "arg": [], "user": FORGED, "key": FORGED}
    )
    ask_socket(master, {"cmd": FORGED})
    ask_socket(master, {"cmd": "runner", "fun": FORGED, "user": FORGED})
    for load in (
        {"cmd": FORGED},
        {"cmd": "_minion_event", "tag": FORGED, "data": {FORGED: FORGED}},
        {"cmd": "_minion_event", "events": [{"tag": FORGED, "data": {}}], "pretag": FORGED},
        {"cmd": "_return", "jid": FORGED, "fun": FORGED, "return": FORGED, "retcode": 0},
        {"cmd": "_return", "jid": "20260102030405678901", "fun": FORGED, "return": 1, "resource_id": FORGED},
        {"cmd": "_return", "jid": "req", "fun": FORGED, "return": FORGED, "retcode": 0},
        {"cmd": "_file_recv", "path": [FORGED], "loc": 0, "data": b""},
        {"cmd": "_serve_file", "path": FORGED, "saltenv": FORGED, "loc": 0},
        {"cmd": "_mine_get", "tgt": FORGED, "fun": FORGED, "tgt_type": "compound"},
        {
            "cmd": "minion_pub",
            "fun": FORGED,
            "arg": [],
            "tgt": FORGED,
            "tgt_type": "glob",
            "ret": "",
            "tmo": 1,
        },
    ):
        peer.ask(load)
    publish(master, FORGED)

    assert_unforged(master.log())


def test_messages_of_a_master_forge_no_line_of_the_minions_log(start_minion):
    with running_hostile_master() as hostile_master:
        minion = start_minion(hostile_master, log_level="debug")
        assert hostile_master.ran() == []

        hostile_master.send(hostile_master.seal(hostile_master.job(fun=FORGED)))
        hostile_master.send(hostile_master.seal(hostile_master.job(user=FORGED, arg=[FORGED])))
        hostile_master.send(hostile_master.seal(hostile_master.job(jid=FORGED)))
        hostile_master.send(hostile_master.seal(hostile_master.job(tgt=FORGED, tgt_type="compound")))
        hostile_master.send(hostile_master.seal(hostile_master.job(tgt=FORGED, tgt_type=FORGED)))
        hostile_master.send(
            hostile_master.seal(hostile_master.job(fun="cmd.run", arg=[f"echo '{FORGED[:20]}'"]))
        )
        hostile_master.ran()

        assert_unforged(minion.log())


def test_fields_are_cut(start_master):
    master = start_master()
    peer = Peer(master, "m1", 0).sign_in()

    peer.ask({"cmd": "_minion_event", "events": [{"tag": "salt/" + "x" * 900_000, "data": {}}]})
    peer.ask({"cmd": "_return", "jid": "x" * 60, "fun": "y", "return": 1})
    peer.ask({"cmd": "x" * 500_000})

    assert max(map(len, master.log().splitlines())) < 20_000


def test_a_flood_of_one_line_is_counted(start_master):
    master = start_master()

    for _ in range(200):
        ask_raw(master.ret_port, b"\xc1")

    lines = [line for line in master.log().splitlines() if "refused a message" in line]
    assert 0 < len(lines) <= 10


def test_a_flood_of_different_lines_is_counted_too(start_master):
    master = start_master()
    peer = Peer(master, "m1", 0).sign_in()

    for start in range(0, 1000, 250):
        listed = [{"tag": f"salt/{number}", "data": {}} for number in range(start, start + 250)]
        peer.ask({"cmd": "_minion_event", "events": listed})

    lines = [line for line in master.log().splitlines() if "may not fire" in line]
    assert 0 < len(lines) <= 300
