"""Messages of `transport: tcp`: split at arbitrary places, bounded, encoded."""

import msgpack
import pytest

from salt_g.errors import WireError
from salt_g.transport.streams.message_maps import (
    LARGE_BODY,
    RequestMaps,
    StreamMessageReader,
    SubscriberMaps,
    encode_message,
    encode_publication,
    encode_reply,
    named_head,
    unpacked_bytes,
)
from salt_g.wire.publications import topic_of

TOPIC = topic_of("m1")
VALUES = [
    *(None, True, -1, 200, 70000, 1 << 40, -5000, 1.5, "a", "a" * 300, b"b" * 70000, []),
    *([1, [2, {"x": [3]}]], {"k": list(range(70000 // 10))}, msgpack.ExtType(78, b"x" * 24)),
    msgpack.ExtType(5, b"x" * 3),
]


def _message(body, mid="one"):
    return msgpack.packb({"head": {"mid": mid}, "body": body}, use_bin_type=True)


@pytest.mark.parametrize("step", [1, 7, 1 << 20])
def test_messages_are_cut_wherever_the_stream_is_read(step):
    bodies = VALUES if step > 1 else VALUES[:9]
    stream = b"".join(_message(body) for body in bodies)
    reader, found = StreamMessageReader(1 << 20), []

    for start in range(0, len(stream), step):
        reader.feed(stream[start : start + step])
        while (message := reader.next_message()) is not None:
            found.append(bytes(message[1]))

    assert [msgpack.unpackb(body) for body in found] == bodies
    assert reader.held == 0


def test_a_request_is_answered_under_its_head():
    session = RequestMaps(1 << 20)
    session.feed(_message({"enc": "clear"}))

    head, empty, body = session.next_message()

    assert (empty, msgpack.unpackb(body), session.is_ready) == (b"", {"enc": "clear"}, True)
    reply = b"".join(encode_reply([head, b"", msgpack.packb("yes")]))
    assert msgpack.unpackb(reply) == {"head": {"mid": "one"}, "body": "yes"}


def test_a_subscriber_gets_everything_after_its_identification():
    session = SubscriberMaps(10)
    session.feed(_message({"load": "x" * 500}) + _message("again"))

    assert session.next_message() == [b"\1"]
    assert session.next_message() is None


@pytest.mark.parametrize(
    ("head", "named"),
    [
        (named_head(TOPIC), [b"\1" + TOPIC]),
        (msgpack.packb({"topic": "a" * 39}), None),
        (msgpack.packb({"mid": "a" * 40}), None),
    ],
)
def test_a_subscriber_may_name_itself_once(head, named):
    session = SubscriberMaps(10)
    session.feed(b"".join(encode_message(head, b"\x01")) * 2)

    assert [session.next_message() for _ in range(3)] == [[b"\1"], named, None]


def test_a_publication_is_bytes():
    sent = b"".join(encode_publication(b"p" * (LARGE_BODY + 1)))

    reader = StreamMessageReader(1 << 20)
    reader.feed(sent)
    assert unpacked_bytes(reader.next_message()[1]) == b"p" * (LARGE_BODY + 1)
    with pytest.raises(WireError, match="not bytes"):
        unpacked_bytes(b"\x01")


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (b"\xff\0\0\0", "speaks ZeroMQ"),
        (b"GET / HTTP/1.1", "something else"),
        (b"\x82\xa4head\x80\xa4body\xdb\xff\xff\xff\xff", "more than 1000 bytes"),
        (b"\x82\xa4head\x80\xa4body\xdd\xff\xff\xff\xff\x01", "values"),
        (b"\x82\xa4head\x80\xa4body\xc1", "not a message"),
        (b"\x82\xa1a\x01\xa1b\x02", "no valid head and body"),
    ],
)
def test_other_streams_are_refused(stream, reason):
    reader = StreamMessageReader(1000)
    reader.feed(stream)

    with pytest.raises(WireError, match=reason):
        reader.next_message()
