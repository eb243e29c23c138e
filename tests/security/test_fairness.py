"""Fairness: a flood costs others only bandwidth; slow readers lose only their own data (property 20)."""

import secrets
import socket
import threading
import time

import pytest
import zmq

from salt_g.data import jid as jids
from salt_g.wire.auth_client import Trust, ask
from tests.support.key_pairs import pair
from tests.support.peers import Peer, ask_raw, publish
from tests.support.tickers import ticking
from tests.support.waiting import until

#: Limit of the median response time of another peer during a flood (s); two processors
#: are shared with the flood itself.
USUAL = 0.5
#: Concurrent open requests of the flood.
AT_ONCE = 32


def flood(master, payloads):
    """Send requests over one connection each, many at once; return the number of responses."""
    answered = 0
    payloads = iter(payloads)
    with zmq.Context() as context:
        poller, sockets = zmq.Poller(), []
        for _ in range(AT_ONCE):
            connection = context.socket(zmq.REQ)
            connection.linger = 0
            connection.connect(f"tcp://127.0.0.1:{master.ret_port}")
            sockets.append(connection)
            poller.register(connection, zmq.POLLIN)
        open_now = set()
        for connection in sockets:
            connection.send(next(payloads))
            open_now.add(connection)
        while open_now:
            ready = dict(poller.poll(60_000))
            assert ready, f"no answer, {answered} came"
            for connection in ready:
                connection.recv()
                answered += 1
                open_now.discard(connection)
                payload = next(payloads, None)
                if payload is not None:
                    connection.send(payload)
                    open_now.add(connection)
        for connection in sockets:
            connection.close(0)
    return answered


def events(peer, number):
    for _ in range(number):
        yield peer.seal({"cmd": "_minion_event", "tag": "flood/x", "data": {"x": "y" * 200}})


def returns(peer, number):
    for _ in range(number):
        load = {"cmd": "_return", "jid": jids.make(), "fun": "test.ping", "return": "x" * 200, "retcode": 0}
        yield peer.seal(load)


def sign_ins(number):
    for n in range(number):
        payload, _ = ask(f"s{n}", pair(1).public, Trust(), nonce=secrets.token_hex(16), token=b"")
        yield payload


@pytest.mark.parametrize("kind", [events, returns])
def test_a_flood_of_one_minion_leaves_the_others_served(shared_master, kind):
    noisy, quiet = Peer(shared_master, "noisy", 0).sign_in(), Peer(shared_master, "quiet", 1).sign_in()

    with ticking(shared_master) as ticker:
        answered = flood(shared_master, kind(noisy, 1500))

    assert answered == 1500
    assert quiet.ask({"cmd": "_file_envs"}) == ["base"]
    assert len(ticker.waits) > 20 and ticker.usual < USUAL
    lines = [line for line in shared_master.log().splitlines() if "noisy" in line]
    assert len(lines) < 700, "each of a flood's lines is written"


def test_jobs_flow_through_a_storm_of_sign_ins(shared_master):
    peer = Peer(shared_master, "m1", 0).sign_in()
    times, ended = [], threading.Event()

    def storm():
        flood(shared_master, sign_ins(300))
        ended.set()

    thread = threading.Thread(target=storm)
    thread.start()
    while not ended.is_set():
        began = time.monotonic()
        jid = publish(shared_master, "test.ping", tgt="m1")["jid"]
        assert (
            peer.ask({"cmd": "_return", "jid": jid, "fun": "test.ping", "return": True, "retcode": 0}) is None
        )
        times.append(time.monotonic() - began)
    thread.join()

    assert times and min(times) < 2 and max(times) < 15
    assert not any(path.name.startswith("s") for path in shared_master.pki_dir.glob("minions_denied/*"))


def test_a_slow_reader_of_events_loses_its_own_and_delays_nobody(shared_master, follow):
    peer = Peer(shared_master, "m1", 0).sign_in()
    up_to = follow(shared_master)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as slow:
        slow.connect(str(shared_master.sock_dir / "master_event_pub.ipc"))
        large = [{"tag": f"slow/{n}", "data": {"x": "y" * 100_000}} for n in range(500)]

        with ticking(shared_master) as ticker:
            peer.ask({"cmd": "_minion_event", "events": large, "pretag": None})
            peer.ask({"cmd": "_minion_event", "tag": "end", "data": {}})
            seen = [event["tag"] for event in up_to("end")]

    assert seen[-1] == "end"
    assert ticker.usual < USUAL
    until(lambda: "loses events" in shared_master.log() or "too slow" in shared_master.log(), "it is said")
    assert publish(shared_master, "test.ping", tgt="m1")["minions"] == ["m1"]


def test_a_client_that_vanishes_with_open_requests_leaves_nothing(shared_master):
    peer = Peer(shared_master, "m1", 0).sign_in()

    with zmq.Context() as context:
        for _ in range(50):
            connection = context.socket(zmq.DEALER)
            connection.linger = 0
            connection.connect(f"tcp://127.0.0.1:{shared_master.ret_port}")
            for _ in range(20):
                connection.send_multipart([b"", peer.seal({"cmd": "_file_envs"})])
            connection.close(0)

    assert peer.ask({"cmd": "_file_envs"}) == ["base"]


def test_one_connection_has_its_share(shared_master):
    payloads = [b"\xc1"] * 2000
    with zmq.Context() as context, context.socket(zmq.DEALER) as greedy:
        greedy.linger = 0
        greedy.connect(f"tcp://127.0.0.1:{shared_master.ret_port}")
        for payload in payloads:
            greedy.send_multipart([b"", payload])

        with ticking(shared_master) as ticker:
            assert ask_raw(shared_master.ret_port, b"\xc1")
            while greedy.poll(500):
                greedy.recv_multipart()

    assert ticker.usual < USUAL


def test_one_minion_has_a_part_of_the_handlers(start_master):
    master = start_master(peer={".*": ["test.ping"]}, worker_threads=1)
    noisy, quiet = Peer(master, "noisy", 0).sign_in(), Peer(master, "quiet", 1).sign_in()
    # Each makes a handler wait a minute for the return of a job, which never arrives.
    order = {"cmd": "minion_publish", "fun": "test.ping", "arg": [], "tgt": "quiet", "ret": "", "tmo": 60}
    with zmq.Context() as context:
        connections = []
        for _ in range(100):
            connections.append(context.socket(zmq.REQ))
            connections[-1].linger = 0
            connections[-1].connect(f"tcp://127.0.0.1:{master.ret_port}")
            connections[-1].send(noisy.seal(order))
        until(lambda: master.log().count("noisy: publishes job") >= 16, "handlers wait")

        began = time.monotonic()
        assert quiet.ask({"cmd": "_file_envs"}) == ["base"]
        assert time.monotonic() - began < 30

        for connection in connections:
            connection.close(0)
    assert "noisy has 16 open requests" in master.log()
    master.kill()
