"""Connections of a minion: addresses, and numbers of requests."""

import msgpack

from salt_g.transport.streams.client_stream import MapMessages, Place


def test_an_address_may_name_where_it_leaves_from():
    assert Place.of("tcp://192.0.2.1:4506") == Place("192.0.2.1", 4506)
    assert Place.of("tcp://192.0.2.9:77;[2001:db8::1]:4506") == Place("2001:db8::1", 4506, "192.0.2.9", 77)


def test_a_reply_to_an_earlier_request_is_skipped():
    messages = MapMessages()
    old = msgpack.unpackb(b"".join(messages.encode(msgpack.packb("first"))))
    new = msgpack.unpackb(b"".join(messages.encode(msgpack.packb("second"))))

    messages.feed(msgpack.packb({"head": old["head"], "body": 1}))
    messages.feed(msgpack.packb({"head": new["head"], "body": 2}))

    assert messages.next_message() == b"\x02"
    assert messages.next_message() is None
