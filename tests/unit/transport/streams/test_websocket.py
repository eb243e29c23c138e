"""Messages of `transport: ws`: handshake, frames of every size, refusals."""

import os

import msgpack
import pytest

from salt_g.errors import WireError
from salt_g.transport.streams.websocket import (
    LARGE,
    MAX_HANDSHAKE,
    ClientWebSocket,
    ServerWebSocket,
    accept_key,
    encode_frame,
    encode_publication,
    masked,
    named_path,
)
from salt_g.wire.publications import topic_of

TOPIC = topic_of("m1")


def _pair(path="/", **options):
    """Return both sides after the handshake."""
    client, server = ClientWebSocket("h:1", path, 1 << 24, os.urandom), ServerWebSocket(1 << 24, **options)
    server.feed(client.greeting)
    first = server.next_message()
    client.feed(server.take_output())
    assert client.is_open()
    return client, server, first


def test_the_proof_is_that_of_the_rfc():
    assert accept_key(b"dGhlIHNhbXBsZSBub25jZQ==") == b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    assert masked(masked(b"some bytes", b"abcd"), b"abcd") == b"some bytes"


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536, 300_000])
def test_requests_and_replies_of_every_size_travel(size):
    client, server, _ = _pair()

    server.feed(b"".join(client.encode(b"q" * size)))
    client.feed(b"".join(encode_frame(b"r" * size)))

    assert server.next_message() == [b"", b"q" * size]
    assert client.next_message() == b"r" * size
    assert server.held == 0


def test_a_subscriber_has_everything_after_the_handshake():
    client, _, first = _pair(subscribes=True)
    client.feed(b"".join(encode_publication(b"job")))

    assert first == [b"\1"]
    assert msgpack.unpackb(client.next_message()) == b"job"


def test_a_subscriber_may_name_itself_in_its_address():
    named, _, mistyped = (
        _pair(path, subscribes=True)[1] for path in (named_path("/ws", TOPIC), "/ws", "/ws?topic=x")
    )

    assert [named.next_message(), named.next_message()] == [[b"\1" + TOPIC], None]
    assert mistyped.next_message() is None
    assert _pair(named_path("/ws", TOPIC))[1].next_message() is None


def test_a_ping_is_answered_and_a_close_ends():
    _, server, _ = _pair()
    server.feed(b"".join(encode_frame(b"hi", code=9, mask=b"abcd")))

    assert server.next_message() is None
    assert server.take_output() == b"\x8a\x02hi"
    server.feed(b"".join(encode_frame(b"", code=8, mask=b"abcd")))
    with pytest.raises(WireError, match="closes"):
        server.next_message()


def test_a_message_in_pieces_is_put_together():
    _, server, _ = _pair()
    server.feed(b"\x02\x81abcd" + masked(b"x", b"abcd") + b"\x80\x81abcd" + masked(b"y", b"abcd"))

    assert server.next_message() == [b"", b"xy"]


@pytest.mark.parametrize("step", [1000, 16 * 1024, LARGE + 1, 256 * 1024])
def test_a_large_message_is_unmasked_as_it_comes(step):
    _, server, _ = _pair()
    text = os.urandom(1 << 20)
    stream = b"".join(encode_frame(text, mask=b"abcd"))
    unread, message = 0, None

    for start in range(0, len(stream), step):
        assert message is None
        server.feed(stream[start : start + step])
        message = server.next_message()
        unread = max(unread, len(server._frames.buffer))

    assert message == [b"", text]
    assert unread < LARGE + step
    assert server.held == server.missing == 0


def test_pieces_of_a_large_message_count_as_held_and_are_not_copied_again():
    _, server, _ = _pair()
    piece = b"\xff" + (LARGE).to_bytes(8, "big") + b"abcd" + masked(b"x" * LARGE, b"abcd")
    server.feed(b"\x02" + piece)
    assert server.next_message() is None
    whole = server._frames._message

    for number in range(2, 6):
        server.feed(b"\x00" + piece)
        assert server.next_message() is None
        assert server.held == number * LARGE
    server.feed(b"\x80\x80abcd")

    message = server.next_message()
    assert message[1] is whole
    assert message == [b"", b"x" * 5 * LARGE]
    assert server.held == 0


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (b"\x16\x03\x01", "does not speak HTTP"),
        (b"G" * MAX_HANDSHAKE, "does not speak HTTP"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "does not ask for a WebSocket"),
    ],
)
def test_other_peers_are_refused(stream, reason):
    server = ServerWebSocket(1000)
    server.feed(stream)

    with pytest.raises(WireError, match=reason):
        server.next_message()


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (b"\x82\x01x", "masking"),
        (b"\xc2\x81abcdx", "RFC 6455 does not define"),
        (b"\x80\x81abcdx", "out of order"),
        (b"\x82\xff" + bytes(3) + b"\xff" * 5 + b"abcd", "more than"),
    ],
)
def test_frames_outside_the_rules_are_refused(frame, reason):
    _, server, _ = _pair()
    server.feed(frame)

    with pytest.raises(WireError, match=reason):
        server.next_message()


def test_a_server_that_refuses_is_named():
    client = ClientWebSocket("h:1", "/", 1000, os.urandom)
    client.feed(b"HTTP/1.1 404 Not Found\r\n\r\n")

    with pytest.raises(WireError, match="404"):
        client.is_open()
