"""The listening side of ZMTP: bytes in arbitrary portions, and reasons for refusal."""

import pytest

from salt_g.errors import WireError
from salt_g.wire.zmtp import GREETING_SIZE, ServerSession, encode, greeting
from tests.support.raw_zmtp import GREETING, GREETINGS, command, frame, message, ping, ready


def session(**limits):
    made = ServerSession("ROUTER", ("REQ", "DEALER"), **{"max_message": 1000, "max_frames": 3, **limits})
    made.take_output()
    return made


def ready_session(**limits):
    made = session(**limits)
    made.feed(GREETING + ready(b"REQ"))
    assert made.next_message() is None and made.is_ready
    made.take_output()
    return made


def messages(made, data):
    made.feed(data)
    found = []
    while (one := made.next_message()) is not None:
        found.append(one)
    return found


def test_our_greeting_is_that_of_zmtp_3_1():
    assert len(greeting()) == GREETING_SIZE
    assert greeting()[:12] == GREETING[:12]


def test_ready_follows_the_greeting_of_the_peer():
    made = session()

    assert messages(made, GREETING[:40]) == [] and made.take_output() == b""
    assert messages(made, GREETING[40:]) == []
    assert made.take_output() == ready(b"ROUTER")


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_messages_come_whole_in_whatever_portions(size):
    made = session()
    data = GREETING + ready(b"REQ") + message(b"", b"one") + message(b"", b"x" * 300, b"") + ping()

    found = []
    for at in range(0, len(data), size):
        found += messages(made, data[at : at + size])

    assert found == [[b"", b"one"], [b"", b"x" * 300, b""]]
    assert made.held == 0


@pytest.mark.parametrize("frames", [[b""], [b"", b"a" * 255], [b"a" * 256, b"b"], [b"", b"c" * 70_000, b"d"]])
def test_encoded_frames_are_decoded_again(frames):
    assert messages(ready_session(max_message=100_000), b"".join(encode(frames))) == [frames]


def test_a_message_of_too_many_frames_is_passed_over():
    made = ready_session(max_frames=3)

    assert messages(made, message(*[b"x"] * 100) + message(b"next")) == [[], [b"next"]]


@pytest.mark.parametrize("data", [frame(b"x" * 1001), message(b"x" * 600, b"x" * 600), b"\x02" + b"\xff" * 8])
def test_a_message_above_the_limit_is_refused_before_it_has_come(data):
    with pytest.raises(WireError, match="bytes"):
        messages(ready_session(), data[:620])


@pytest.mark.parametrize("bad", [*GREETINGS[3:6], *GREETINGS[7:]])
def test_greetings_of_other_versions_and_mechanisms_are_refused(bad):
    with pytest.raises(WireError):
        messages(session(), bad.ljust(64, b"\0"))


@pytest.mark.parametrize("good", [*GREETINGS[:3], GREETINGS[6]])
def test_greetings_of_zmtp_3_and_later_are_taken(good):
    made = session()

    assert messages(made, good + ready(b"DEALER", b"any id")) == [] and made.is_ready


@pytest.mark.parametrize(
    "bad",
    [
        ready(b"PUB"),
        message(b"x"),
        command(b"HELLO"),
        frame(b"\x05READY\xff", flags=4),
        frame(b"\x05READY\x01a\0\0\0\xff", flags=4),
        frame(b"", flags=4),
        frame(b"x" * 1025, flags=4)[:9],
    ],
)
def test_a_malformed_ready_command_is_refused(bad):
    with pytest.raises(WireError):
        messages(session(), GREETING + bad)


@pytest.mark.parametrize("bad", [b"\x08\0", b"\x05\0", b"\xff\0", b"\x04\x05\x04PING", command(b"ERROR")])
def test_frames_that_must_not_be_are_refused(bad):
    with pytest.raises(WireError):
        messages(ready_session(), bad)


def test_many_pings_have_one_answer_with_their_context_cut():
    made = ready_session()

    assert messages(made, ping(1) * 50 + ping(20, b"c" * 40)) == []

    assert made.take_output() == command(b"PONG", b"c" * 16)
    assert made.ttl == 2.0


def test_subscriptions_of_both_kinds_are_messages():
    found = messages(ready_session(), command(b"SUBSCRIBE", b"a") + command(b"CANCEL", b"a") + frame(b"\1b"))

    assert found == [[b"\1a"], [b"\0a"], [b"\1b"]]
