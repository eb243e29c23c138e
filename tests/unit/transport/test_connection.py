"""One accepted connection on a socket pair: bounded reads, writes that never block."""

import socket

import gevent
import pytest

from salt_g.transport.connection import (
    ASK_AFTER,
    DEAD_AFTER,
    HANDSHAKE_TIME,
    INBOX,
    MAX_UNREAD,
    STALLED_TIME,
    PeerConnection,
)
from salt_g.wire.zmtp import PING, ServerSession
from tests.support.raw_zmtp import GREETING, message, ping, ready
from tests.support.waiting import hub_until

#: Interval of heartbeats (s).
BEAT = 10.0


class Owner:
    """Owner of a connection: it records its changes of state, and puts its messages into its inbox."""

    def __init__(self):
        self.errors, self.closed = [], []

    def on_readable(self, connection):
        connection.read()

    def on_message(self, connection, frames):
        connection.inbox.append(frames)

    def on_error(self, connection, error):
        self.errors.append(str(error))

    def on_growth(self, connection):
        """Do nothing."""

    on_taken = on_growth

    def on_close(self, connection):
        self.closed.append(connection.number)


class AnsweringTls:
    """TLS that sends a reply to all input by itself, as it does for requests for new keys."""

    ANSWER = b"k" * 64 * 1024

    def __init__(self):
        self.decryptions = 0

    def decrypt(self, data):
        self.decryptions += 1
        return b""

    def encrypt(self, pieces):
        return b"".join(pieces)

    def take_output(self):
        return self.ANSWER


class Pair:
    """A connection with its peer, a manual clock, and an owner."""

    def __init__(self, tls=None):
        ours, self.peer = socket.socketpair()
        ours.setblocking(False)
        self.peer.setblocking(False)
        self.now = 0.0
        self.owner = Owner()
        session = ServerSession("ROUTER", ("REQ", "DEALER"), max_message=4 * MAX_UNREAD, max_frames=10)
        self.it = PeerConnection(7, ours, "192.0.2.1", session, self.owner, lambda: self.now, tls)
        self.it.start()

    def tell(self, data):
        self.peer.sendall(data)

    def shake_hands(self):
        self.tell(GREETING + ready(b"REQ"))
        hub_until(lambda: self.it.session.is_ready)
        gevent.idle()
        self.received()

    def received(self):
        """Return everything the peer has received so far."""
        found = b""
        try:
            while part := self.peer.recv(1 << 20):
                found += part
        except BlockingIOError:
            pass
        return found


@pytest.fixture
def pair():
    made = Pair()
    yield made
    made.it.close()
    made.peer.close()


def test_messages_go_to_the_inbox_and_answers_to_the_peer(pair):
    pair.shake_hands()

    pair.tell(message(b"", b"one") + message(b"", b"two"))
    hub_until(lambda: len(pair.it.inbox) == 2)
    pair.it.send([b"an", b"swer"])

    assert list(pair.it.inbox) == [[b"", b"one"], [b"", b"two"]]
    assert (pair.it.messages, pair.received()) == (2, b"answer")


def test_a_full_inbox_stops_the_reading_until_it_is_empty(pair):
    pair.shake_hands()
    pair.tell(b"".join(message(b"", b"%d" % n) for n in range(INBOX + 5)))
    hub_until(lambda: len(pair.it.inbox) == INBOX)
    gevent.idle()
    assert len(pair.it.inbox) == INBOX

    while pair.it.inbox:
        pair.it.inbox.popleft()
        pair.it.taken()
        if pair.it.messages > INBOX:
            break

    hub_until(lambda: pair.it.messages == INBOX + 5)


def test_a_peer_that_reads_no_answers_of_tls_is_not_read_either():
    tls = AnsweringTls()
    pair = Pair(tls)
    for number in range(200):
        if pair.it._is_paused:
            break
        pair.tell(b"new keys, please")
        hub_until(lambda: tls.decryptions > number or pair.it._is_paused)  # noqa: B023 - called at once

    assert MAX_UNREAD <= pair.it._unsent < MAX_UNREAD + 2 * len(tls.ANSWER)
    answers = b""
    while not answers or pair.it.waiting:
        answers += pair.received()
        gevent.idle()
    pair.tell(b"once more")
    hub_until(lambda: not pair.it._is_paused)

    pair.it.close()
    pair.peer.close()


def test_a_peer_that_reads_no_answers_is_not_read_either(pair):
    pair.shake_hands()
    pair.it.send([b"x" * (4 * MAX_UNREAD)])
    assert pair.it.waiting == 1

    pair.tell(message(b"", b"more"))
    gevent.idle()
    gevent.idle()
    assert not pair.it.inbox

    size = 0

    def is_read():
        nonlocal size
        size += len(pair.received())
        return size >= 4 * MAX_UNREAD

    hub_until(is_read)
    hub_until(lambda: pair.it.inbox)
    assert (size, pair.it.waiting) == (4 * MAX_UNREAD, 0)


def test_a_breach_of_the_protocol_closes_it(pair):
    pair.tell(b"GET / HTTP/1.1\r\n\r\n" * 10)

    hub_until(lambda: pair.it.is_closed)

    assert (len(pair.owner.errors), pair.owner.closed, pair.it.descriptor()) == (1, [7], -1)


def test_a_peer_that_goes_closes_it_once_and_its_messages_can_be_processed(pair):
    pair.shake_hands()
    pair.tell(message(b"", b"last"))
    hub_until(lambda: pair.it.inbox)

    pair.peer.close()
    hub_until(lambda: pair.it.is_closed)
    pair.it.close()
    pair.it.send([b"to nobody"])
    pair.it.taken()

    assert (pair.owner.closed, list(pair.it.inbox)) == ([7], [[b"", b"last"]])


def test_a_peer_without_a_handshake_is_closed(pair):
    pair.now = HANDSHAKE_TIME
    assert pair.it.overdue(pair.now, BEAT) == ""

    assert pair.it.overdue(pair.now + 1, BEAT) == "no handshake"


def test_a_silent_peer_is_pinged_and_closed_later(pair):
    pair.shake_hands()

    pair.it.beat(ASK_AFTER * BEAT, BEAT)
    assert pair.received() == b""
    pair.it.beat(ASK_AFTER * BEAT + 1, BEAT)
    assert pair.received() == PING

    assert pair.it.overdue(DEAD_AFTER * BEAT, BEAT) == ""
    assert pair.it.overdue(DEAD_AFTER * BEAT + 1, BEAT) == "no heartbeat"


def test_a_peer_is_held_to_the_time_that_it_announced(pair):
    pair.shake_hands()
    pair.tell(ping(ttl=50))
    hub_until(lambda: pair.it.session.ttl)

    assert pair.it.overdue(4.9, BEAT) == ""
    assert pair.it.overdue(5.1, BEAT) == "silent for longer than it announced"


def test_a_peer_that_does_not_read_is_closed_unless_it_makes_progress(pair):
    pair.shake_hands()
    pair.it.send([b"x" * (4 * MAX_UNREAD)])

    assert pair.it.overdue(STALLED_TIME, BEAT) in ("", "no heartbeat")
    assert pair.it.overdue(STALLED_TIME + 1, BEAT) == "the peer does not read"
    pair.now = STALLED_TIME
    pair.received()
    hub_until(lambda: pair.it.wrote_at == pair.now)
    assert pair.it.overdue(STALLED_TIME + 1, 100 * BEAT) == ""
