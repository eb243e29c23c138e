"""A listening port: admission, frames held for peers, and turns in a queue."""

import collections
import errno
import functools
import socket
import types

import pytest

from salt_g.errors import TlsRefused, WireError
from salt_g.process.supervisor import Supervisor
from salt_g.transport.carriers import ZEROMQ
from salt_g.transport.connection import DEAD_AFTER, HANDSHAKE_TIME
from salt_g.transport.connection_limits import ConnectionLimits
from salt_g.transport.listener import (
    KEEPALIVE_COUNT,
    KEEPALIVE_IDLE,
    KEEPALIVE_INTERVAL,
    LONGEST_STRETCH,
    MANY,
    Listener,
    MessageQueue,
    _largest,
    _leaves_reserve,
    _listen,
    _resolved,
    send_all,
)
from salt_g.transport.zeromq import port_of
from salt_g.wire.zmtp import encode
from tests.support.raw_zmtp import GREETING, message, ready
from tests.support.waiting import hub_until


class Port:
    """A listener with a queue, a manual clock, and its peers."""

    def __init__(self, supervisor, **settings):
        self.now, self.ended, self.peers = 0.0, [], []
        self.queue = MessageQueue()
        self.places = settings.pop("places", ConnectionLimits(10, 10))
        self.it = Listener(
            ["tcp://127.0.0.1:*"],
            new_session=functools.partial(ZEROMQ.request_session, 1 << 20),
            supervisor=supervisor,
            places=self.places,
            on_message=self.queue.put,
            on_end=lambda connection: self.ended.append(connection.number),
            clock=lambda: self.now,
            **settings,
        )
        self.it.start()

    def dial(self):
        peer = socket.create_connection(("127.0.0.1", port_of(self.it.addresses[0])))
        peer.setblocking(False)
        self.peers.append(peer)
        return peer

    def dial_in(self):
        """Return a new peer and the connection accepted from it."""
        before = len(self.it)
        peer = self.dial()
        peer.sendall(GREETING + ready(b"REQ"))
        hub_until(lambda: len(self.it) == before + 1)
        connection = self.it.get(len(self.peers))
        hub_until(lambda: connection.session.is_ready)
        return peer, connection


@pytest.fixture
def listen():
    """Yield a function that starts a listener."""
    family, made = Supervisor("test"), []

    def start(**settings):
        made.append(Port(family, **settings))
        return made[-1]

    yield start
    for port in made:
        port.it.stop(linger=0)
        for peer in port.peers:
            peer.close()
    family.stop()


def is_hung_up(peer):
    """Return whether the other end has closed; data that it sent before are read."""
    try:
        while peer.recv(65536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


def test_a_message_comes_with_its_connection_and_a_peer_that_leaves_is_forgotten(listen):
    port = listen()
    peer, connection = port.dial_in()

    peer.sendall(message(b"", b"hello"))

    assert port.queue.get() == (connection, [b"", b"hello"])
    assert (connection.address, len(port.it), port.it.get(connection.number)) == ("127.0.0.1", 1, connection)
    peer.close()
    hub_until(lambda: port.ended == [connection.number])
    assert (len(port.it), len(port.places), port.it.held) == (0, 0, 0)
    assert port.it.get(connection.number) is None


def test_a_peer_beyond_the_limit_is_hung_up_on_and_the_others_stay(listen):
    port = listen(places=ConnectionLimits(1, 1))
    peer, connection = port.dial_in()
    peer.sendall(message(b"", b"I speak"))
    hub_until(lambda: connection.messages)

    late = port.dial()
    hub_until(lambda: is_hung_up(late))

    assert (len(port.it), port.places.refused, connection.is_closed) == (1, 1, False)


def test_the_peer_with_most_bytes_is_closed_when_all_together_hold_too_many(listen):
    port = listen(max_held=1000)
    small, kept = port.dial_in()
    large, closed = port.dial_in()
    small.sendall(message(b"", b"s" * 300))
    hub_until(lambda: kept.queued == 300)

    large.sendall(message(b"", b"l" * 800))
    hub_until(lambda: closed.is_closed)

    assert (kept.is_closed, port.it.held, list(closed.inbox)) == (False, 300, [])
    assert port.queue.get() == (kept, [b"", b"s" * 300])
    assert port.it.held == 0


def test_bytes_of_an_incomplete_message_count_as_held(listen):
    port = listen()
    peer, connection = port.dial_in()

    peer.sendall(message(b"", b"x" * 5000)[:2000])

    hub_until(lambda: port.it.held >= 1500)
    assert connection.queued == 0


def test_a_check_ends_connections_whose_time_is_up(listen):
    port = listen()
    port.dial()
    hub_until(lambda: len(port.it) == 1)
    port.now = HANDSHAKE_TIME
    port.it._sweep()
    assert len(port.it) == 1

    port.now += 1
    port.it._sweep()

    assert (len(port.it), port.ended) == (0, [1])


@pytest.mark.parametrize(("error", "level"), [(TlsRefused("TLS: no"), "WARNING"), (WireError("no"), "DEBUG")])
def test_a_peer_that_tls_refuses_is_reported_to_the_operator(listen, caplog, error, level):
    port = listen()
    _, connection = port.dial_in()

    with caplog.at_level("DEBUG"):
        port.it.on_error(connection, error)

    line = next(line for line in caplog.records if "connection closed" in line.getMessage())
    assert (line.levelname, line.getMessage()) == (level, f"127.0.0.1: {error}; connection closed")


def test_heartbeats_slow_down_where_thousands_are_connected(listen):
    port = listen()
    few = port.it._half_beat()

    port.it._connections.update(dict.fromkeys(range(1000, 1000 + 2 * MANY)))
    assert port.it._half_beat() == 2 * few
    port.it._connections.update(dict.fromkeys(range(100_000, 100_000 + 20 * MANY)))
    assert port.it._half_beat() == LONGEST_STRETCH * few
    # The keepalive of the system notices a dead peer no later.
    assert DEAD_AFTER * 2 * port.it._half_beat() <= KEEPALIVE_IDLE + KEEPALIVE_COUNT * KEEPALIVE_INTERVAL

    port.it._connections.clear()


def test_no_connection_is_accepted_after_the_stop(listen):
    port = listen()
    peer, _ = port.dial_in()

    port.it.stop(linger=0)

    assert len(port.it) == 0
    hub_until(lambda: is_hung_up(peer))
    with pytest.raises(ConnectionRefusedError):
        port.dial()


def test_a_port_that_is_taken_is_named_with_the_command_that_finds_its_owner():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(
            OSError, match=f"cannot listen on tcp://127.0.0.1:{number}: another program"
        ) as events:
            _listen(f"tcp://127.0.0.1:{number}")

    assert f"sport = :{number}" in str(events.value)
    assert events.value.__cause__.errno == errno.EADDRINUSE


def test_an_address_of_no_interface_is_refused_with_the_systems_words():
    with pytest.raises(OSError, match="cannot listen on tcp://192.0.2.1:0: Cannot assign requested address"):
        _listen("tcp://192.0.2.1:0")


def test_addresses_are_resolved_for_both_families():
    assert _resolved("*", 4505) == (socket.AF_INET, ("0.0.0.0", 4505))
    assert _resolved("127.0.0.1", 1) == (socket.AF_INET, ("127.0.0.1", 1))
    family, place = _resolved("::1", 2)
    assert (family, place[:2]) == (socket.AF_INET6, ("::1", 2))
    with pytest.raises(OSError, match="cannot listen on no.invalid.: "):
        _resolved("no.invalid.", 1)


@pytest.mark.parametrize(
    ("limit", "last"),
    [(1024, 895), (80, 69), (100_000, 99_743)],
    ids=["an eighth", "an eighth of few", "at most 256"],
)
def test_some_descriptors_stay_reserved(limit, last):
    assert (_leaves_reserve(last, limit), _leaves_reserve(last + 1, limit)) == (True, False)


def holder(address, held):
    return types.SimpleNamespace(address=address, held=held)


def test_the_largest_is_sought_at_the_address_that_holds_most():
    several = [holder("a", 40), holder("a", 50), holder("a", 30)]
    single = holder("b", 100)

    assert _largest([single, *several]) is several[1]


class Queued:
    """Connection as a queue sees it."""

    def __init__(self, number):
        self.number, self.inbox, self.queued, self.takes = number, collections.deque(), 0, 0

    def taken(self):
        self.takes += 1


def test_a_connection_with_many_messages_takes_turns_with_the_others():
    queue, busy, calm = MessageQueue(), Queued(1), Queued(2)
    for body in (b"1", b"2", b"3"):
        queue.put(busy, [body])
    queue.put(calm, [b"calm", b"er"])
    assert (busy.queued, calm.queued) == (3, 6)

    found = [queue.get() for _ in range(4)]

    assert found == [(busy, [b"1"]), (calm, [b"calm", b"er"]), (busy, [b"2"]), (busy, [b"3"])]
    assert (busy.queued, busy.takes, calm.queued) == (0, 3, 0)


def test_a_connection_that_lost_its_messages_is_passed_over():
    queue, gone, there = MessageQueue(), Queued(1), Queued(2)
    queue.put(gone, [b"lost"])
    queue.put(there, [b"kept"])
    gone.inbox.clear()

    assert queue.get() == (there, [b"kept"])
    assert gone.takes == 0


class Outbound:
    def __init__(self, waiting):
        self.waiting, self.sent = waiting, []

    def send(self, pieces):
        self.sent += pieces


def test_a_peer_with_a_full_queue_is_skipped_and_counted():
    full, free = Outbound(5), Outbound(4)

    assert send_all([full, free, full], encode([b"topic", b"body"]), high_water=5) == 2

    assert (full.sent, free.sent) == ([], [message(b"topic", b"body")])
