"""Connections of a minion: addresses, and numbers of requests."""

import fcntl
import resource

import gevent.socket
import msgpack
import pytest

from salt_g.transport.streams.client_stream import ClientStream, MapMessages, StreamAddress

#: A descriptor that select(2) cannot name.
HIGH = 1100


def test_an_address_may_name_where_it_leaves_from():
    assert StreamAddress.of("tcp://192.0.2.1:4506") == StreamAddress("192.0.2.1", 4506)
    assert StreamAddress.of("tcp://192.0.2.9:77;[2001:db8::1]:4506") == StreamAddress(
        "2001:db8::1", 4506, "192.0.2.9", 77
    )


def test_a_reply_to_an_earlier_request_is_skipped():
    messages = MapMessages()
    old = msgpack.unpackb(b"".join(messages.encode(msgpack.packb("first"))))
    new = msgpack.unpackb(b"".join(messages.encode(msgpack.packb("second"))))

    messages.feed(msgpack.packb({"head": old["head"], "body": 1}))
    messages.feed(msgpack.packb({"head": new["head"], "body": 2}))

    assert messages.next_message() == b"\x02"
    assert messages.next_message() is None


def test_a_connection_beyond_the_thousandth_descriptor_is_looked_at():
    """A minion with many resources has more open files than select(2) supports."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < HIGH + 10:
        pytest.skip("too few open files allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, HIGH + 10), hard))
    ours, theirs = gevent.socket.socketpair()
    high = gevent.socket.socket(fileno=fcntl.fcntl(ours.fileno(), fcntl.F_DUPFD, HIGH))
    try:
        stream = ClientStream(high, MapMessages(), None)
        assert stream.is_quiet()
        theirs.sendall(b"x")
        assert not stream.is_quiet()
    finally:
        for one in (ours, theirs, high):
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_connection_that_the_master_closed_is_not_quiet():
    ours, theirs = gevent.socket.socketpair()
    theirs.close()

    assert not ClientStream(ours, MapMessages(), None).is_quiet()

    ours.close()
