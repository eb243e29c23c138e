"""Raw ZMTP from a peer without a key affects only its own connections."""

import contextlib
import random
import socket
import time

import pytest

from salt_g.wire.publications import topic_of
from tests.support.peers import Peer, ask_clear, publish
from tests.support.raw_zmtp import GREETING, Raw, close_all, command, frame, message, ping, ready, storm_once
from tests.support.tickers import resident
from tests.support.waiting import until

MIB = 1024 * 1024
#: Two heartbeat intervals of the master, in which every timer of a connection fires (s).
BEATS = 25.0


def is_well(master):
    return master.is_running() and ask_clear(master, {"cmd": "tick"}) in ({}, "")


def sockets_of(master):
    """Return the number of connections at the master's two ports."""
    ports = {f"{master.ret_port:04X}", f"{master.publish_port:04X}"}
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return sum(row[3] == "01" and row[1].rpartition(":")[2] in ports for row in rows)


def stays_well(master, seconds):
    """Send requests for a while: errors appear when a timer fires."""
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() > end or not is_well(master), "the end of the time")
    assert is_well(master)


@pytest.fixture(autouse=True)
def _connections():
    yield
    close_all()


@pytest.fixture
def port_of(shared_master):
    return {"request": shared_master.ret_port, "publish": shared_master.publish_port}


KINDS = {"request": b"DEALER", "publish": b"SUB"}


@pytest.mark.long
def test_one_routing_id_twice_and_a_reset_leave_the_master_alive(shared_master):
    port, kept = shared_master.ret_port, []
    for identity in (b"same", b"\0\0\0\0\1"):
        first = Raw(port).shake_hands(b"DEALER", identity)
        first.send(message(b"", b"x"))
        kept.append(Raw(port).shake_hands(b"DEALER", identity))
        kept[-1].send(message(b"", b"x"))
        for _ in range(3):
            first.send(message(b"", b"x"))
            # Answers to another show that this has been read, for a reset takes back what has not.
            assert is_well(shared_master)
        first.reset()

    stays_well(shared_master, BEATS)


@pytest.mark.long
def test_subscribers_that_reset_before_a_beat_leave_the_master_alive(shared_master):
    subscribers = [Raw(shared_master.publish_port).shake_hands(b"SUB") for _ in range(12)]
    end = time.monotonic() + BEATS
    stays_well(shared_master, 9.0)
    for turn in range(8):
        for number, subscriber in enumerate(subscribers):
            topics = (b"\1%02d%04d" % (number, turn * 1000 + topic) + b"x" * 200 for topic in range(1000))
            subscriber.socket.settimeout(0.01)
            subscriber.try_to_send(b"".join(map(frame, topics)))
    for subscriber in subscribers:
        subscriber.reset()

    stays_well(shared_master, end - time.monotonic())


@pytest.mark.parametrize("where", ["request", "publish"])
@pytest.mark.parametrize("number", [998, 999, 1000, 1001, 1002, 1003, 2003])
def test_a_ping_behind_a_full_queue_and_a_reset_leave_the_master_alive(shared_master, port_of, where, number):
    small = message(b"") if where == "request" else frame(b"\1a")
    raw = Raw(port_of[where]).shake_hands(KINDS[where])
    raw.try_to_send(ping(0, b"first") + small * number + ping() + small + ping(1))
    received = b""
    # Its answer says that it has read, for a reset takes back what lies unread in its buffer.
    with contextlib.suppress(OSError):
        while b"PONG" not in received and (part := raw.socket.recv(100)):
            received += part
    raw.reset()
    publish(shared_master, "test.ping")

    assert is_well(shared_master)


@pytest.mark.parametrize("where", ["request", "publish"])
def test_pings_of_a_peer_that_reads_nothing_cost_little(shared_master, port_of, where):
    raw = Raw(port_of[where], receive_buffer=2048).shake_hands(KINDS[where])
    before = resident(shared_master.pid)
    raw.socket.settimeout(5)
    for _ in range(200):
        if not raw.try_to_send(ping(1, b"c" * 16) * 1000):
            break
    assert is_well(shared_master)
    raw.reset()

    assert is_well(shared_master)
    assert resident(shared_master.pid) - before < 16 * MIB


def test_a_ping_is_answered_with_its_context(shared_master):
    raw = Raw(shared_master.ret_port).shake_hands(b"REQ")
    raw.send(ping(0, b"context"))

    assert raw.socket.recv(100) == command(b"PONG", b"context")
    raw.close()


def test_a_peer_that_announced_its_silence_is_let_go(shared_master):
    raw = Raw(shared_master.publish_port).shake_hands(b"SUB")
    raw.send(ping(1))

    assert raw.is_ended()


@pytest.mark.parametrize("short", [b"\x04\x05\x04PING", command(b"PING", b"\0")])
def test_a_ping_too_short_ends_its_connection(shared_master, short):
    raw = Raw(shared_master.ret_port).shake_hands(b"REQ")
    raw.send(short)

    assert raw.is_ended() and is_well(shared_master)


@pytest.mark.parametrize(
    "bad",
    [
        GREETING[:10] + b"\x02\x00" + GREETING[12:],
        GREETING.replace(b"NULL", b"PLAI"),
        GREETING + message(b"", b"before READY"),
        GREETING + ready(b"PUSH"),
        GREETING + b"\x06" + (2**20).to_bytes(8, "big"),
        GREETING + ready(b"REQ") + b"\x08\x00",
        GREETING + ready(b"REQ") + b"\x02" + (2**63).to_bytes(8, "big"),
        GREETING + ready(b"REQ") + command(b"ERROR", b"\0"),
    ],
)
def test_a_violation_of_zmtp_ends_the_connection(shared_master, bad):
    raw = Raw(shared_master.ret_port)
    raw.try_to_send(bad)

    assert raw.is_ended() and is_well(shared_master)


@pytest.mark.parametrize("form", ["long", "many", "commands", "wide"])
def test_subscriptions_cost_little(start_master, form):
    master = start_master()
    assert is_well(master)
    subscribe = {
        "long": lambda number: frame(b"\1" + (b"%08d" % number) * 30),
        "many": lambda number: frame(b"\1" + b"%040x" % number),
        "commands": lambda number: command(b"SUBSCRIBE", b"%040x" % (number << 80)),
        "wide": lambda number: frame(b"\1" + (b"%08d" % number) * 2000),
    }[form]
    data = b"".join(map(subscribe, range(15 * MIB // len(subscribe(0)))))
    before = resident(master.pid)

    for part in range(15):
        raw = Raw(master.publish_port).shake_hands(b"SUB")
        raw.try_to_send(data[part * MIB :] if part == 0 else data[part * MIB : (part + 1) * MIB])
        assert is_well(master)
        assert resident(master.pid) - before < 16 * MIB
        raw.close()


def test_only_topics_of_minions_and_syndics_are_taken(start_master):
    master = start_master(zmq_filtering=True)
    peer = Peer(master, "m1", 0).sign_in()
    raw = Raw(master.publish_port).shake_hands(b"SUB")
    raw.send(frame(b"\1b") + frame(b"\1broad") + frame(b"\1nothing") + frame(b"\1" + b"Z" * 40))
    whole = Raw(master.publish_port).shake_hands(b"SUB")
    whole.send(frame(b"\1" + topic_of("m1")) + ping(0, b"there"))
    until(lambda: whole.socket.recv(100), "the subscription has arrived")
    raw.send(ping(0, b"there"))
    assert raw.socket.recv(100) == command(b"PONG", b"there")

    publish(master, "test.ping", tgt="m1")
    assert whole.socket.recv(42) == b"\1\x28" + topic_of("m1")
    raw.socket.settimeout(0.5)
    with pytest.raises(socket.timeout):
        raw.socket.recv(100)
    assert peer.ask({"cmd": "_file_envs"}) == ["base"]


def test_one_address_has_its_share_of_connections(start_master):
    master = start_master(max_connections_per_address=40)
    silent = [Raw(master.ret_port) for _ in range(200)]

    until(lambda: sockets_of(master) <= 40, "those without a place are gone")
    assert is_well(master)
    for raw in silent:
        raw.close()


def test_half_messages_together_have_a_bound(start_master):
    master = start_master()
    assert is_well(master)
    before = resident(master.pid)
    part, kept = bytes(4 * MIB), []

    for _ in range(12):
        raw = Raw(master.ret_port).shake_hands(b"DEALER")
        kept.append(raw)
        raw.socket.settimeout(10)
        raw.try_to_send(b"\x02" + (60 * MIB).to_bytes(8, "big"))
        for _ in range(13):
            if not raw.try_to_send(part):
                break
    assert is_well(master)

    assert resident(master.pid) - before < 420 * MIB
    for raw in kept:
        raw.close()
    until(lambda: resident(master.pid) - before < 128 * MIB, "it is given back")


def test_a_storm_of_raw_zmtp_leaves_the_master_alive(shared_master):
    draw, kept = random.Random(27), []
    ports = (shared_master.ret_port, shared_master.publish_port)

    for number in range(600):
        storm_once(draw, ports, kept)
        if number % 100 == 0:
            assert is_well(shared_master)
    for one in kept:
        with contextlib.suppress(OSError):
            one.reset()

    assert is_well(shared_master) and "Traceback" not in shared_master.log()
