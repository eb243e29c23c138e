"""A master that runs out of file descriptors: it logs no wrong cause, does not spin, and recovers."""

import contextlib
import http.client
import os
import resource
import secrets
import socket

import psutil
import pytest
import zmq

from salt_g.errors import SignInRefused
from salt_g.wire.auth_client import Trust, ask, read_answer
from salt_g.wire.rsa import PrivateKey
from tests.support.free_ports import free_port
from tests.support.waiting import DEADLINE, until

pytestmark = pytest.mark.own_start

#: So many descriptors a master has in tests that fill its table.
FEW = 128


class Peer:
    """A minion with one connection, which it keeps until `close`."""

    def __init__(self, master, context, id="m1"):
        self.id, self.key = id, PrivateKey.generate(2048)
        self._socket = context.socket(zmq.DEALER)
        self._socket.linger = 0
        self.close = self._socket.close
        self._socket.connect(f"tcp://127.0.0.1:{master.ret_port}")

    def ask(self):
        """Send a sign-in request."""
        payload, self._attempt = ask(
            self.id, self.key.public, Trust(), nonce=secrets.token_hex(16), token=b""
        )
        self._socket.send_multipart([b"", payload])

    def hear(self, timeout=DEADLINE):
        """Return the content of the response, None if none arrives in time; raises SignInRefused."""
        if not self._socket.poll(timeout * 1000):
            return None
        return read_answer(self._socket.recv_multipart()[1], self._attempt, self.key, Trust())

    def sign_in(self):
        self.ask()
        grant = self.hear()
        assert grant is not None, "no answer came"
        return grant


@pytest.fixture
def peer_of():
    """Yield a factory: `peer_of(master, id="m1")` returns a Peer."""
    with zmq.Context() as context, contextlib.ExitStack() as peers:

        def make(master, id="m1"):
            return peers.enter_context(contextlib.closing(Peer(master, context, id)))

        yield make


@contextlib.contextmanager
def limited(daemon, number):
    """Limit a daemon to very few descriptors while the block runs."""
    before = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (number, before[1]))
    try:
        yield
    finally:
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, before)


@contextlib.contextmanager
def crowd(port, number):
    """Open connections that send nothing."""
    peers = [socket.socket() for _ in range(number)]
    for peer in peers:
        peer.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            peer.connect(("127.0.0.1", port))
    try:
        yield
    finally:
        for peer in peers:
            peer.close()


def open_files(daemon):
    return len(os.listdir(f"/proc/{daemon.pid}/fd"))


def test_without_descriptors_no_sign_in_is_answered_and_one_line_says_why(start_master, peer_of):
    master = start_master(auto_accept=True)
    known, stranger = peer_of(master), peer_of(master, "m2")
    known.sign_in()
    # Its connection is open, and nothing is known of it any more.
    stranger.sign_in()
    os.unlink(master.pki_dir / "minions" / "m2")

    with limited(master, 3):
        for peer in (known, stranger, known, known):
            peer.ask()
        until(lambda: "left unanswered" in master.log(), "the log says why")
        assert known.hear(timeout=0.5) is None
        assert stranger.hear(timeout=0.5) is None

    assert known.sign_in() is not None
    assert master.log().count("sign-ins are left unanswered") == 1
    assert "sign-ins are answered again" in master.log()
    assert (master.pki_dir / "minions" / "m1").exists()
    assert not os.listdir(master.pki_dir / "minions_rejected")
    assert not os.listdir(master.pki_dir / "minions_denied")


def test_a_key_that_is_new_waits(start_master, peer_of):
    master = start_master(auto_accept=False)
    peer = peer_of(master)

    with pytest.raises(SignInRefused, match="pending"):
        peer.sign_in()


def test_a_crowd_leaves_descriptors_to_files_and_costs_no_processor(
    start_master, start_minion, salt, peer_of
):
    master = start_master(auto_accept=True)
    minion = start_minion(master)
    process = psutil.Process(master.pid)

    with limited(master, FEW), crowd(master.ret_port, 3 * FEW):
        until(lambda: "no further peers are accepted" in master.log(), "the listener pauses")
        until(lambda: open_files(master) < FEW, "descriptors are left")
        before = process.cpu_times()
        assert salt(master, "m1", "test.ping").minions == {"m1": True}
        assert salt(master, "m1", "test.ping").minions == {"m1": True}
        spent = process.cpu_times()
        # Two jobs cost a tenth of a second; a thread that spins takes all the time that they last.
        assert spent.system - before.system < 0.6
    until(lambda: open_files(master) < FEW // 2, "the crowd is gone")
    until(
        lambda: master.log().count("are accepted again") == master.log().count("no further peers"),
        "it goes on",
    )

    late = peer_of(master, "m2")
    assert late.sign_in() is not None
    assert minion.is_running() and master.is_running()


def test_a_crowd_at_the_publish_port_is_no_other(start_master, start_minion, salt):
    master = start_master(auto_accept=True)
    start_minion(master)

    with limited(master, FEW), crowd(master.publish_port, 3 * FEW):
        until(lambda: "no further peers are accepted" in master.log(), "the listener pauses")
        assert salt(master, "m1", "test.ping").minions == {"m1": True}


def test_slow_connections_to_the_metrics_port_do_not_keep_a_scrape_out(start_master):
    port = free_port()
    start_master(metrics_port=port)
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
    for number, peer in enumerate(slow):
        with contextlib.suppress(OSError):
            peer.sendall(b"GET /metrics HTTP/1.1\r\n" if number % 2 else b"")

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    connection.request("GET", "/metrics")
    reply = connection.getresponse()

    assert reply.status == 200
    assert b"salt_g_" in reply.read()
    connection.close()
    for peer in slow:
        peer.close()
