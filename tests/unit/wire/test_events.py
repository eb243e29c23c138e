import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import WireError
from salt_g.wire.events import (
    FrameReader,
    bare_frame,
    pack_event,
    prefixed_frame,
    stamp,
    tag_of,
    unpack_event,
)

CAPTURED = (
    "82a468656164 80a4626f6479c432 782f790a0a82a16101a65f7374616d70d920"
    "323032362d31312d32305431353a34363a31352e3239383639312b30303a3030"
)
EVENTS = st.lists(
    st.tuples(
        st.text("abc/123", min_size=1),
        st.dictionaries(st.text(), st.integers(-9, 9) | st.text() | st.binary() | st.lists(st.none())),
    ),
    max_size=5,
)


def test_the_captured_event_is_read_and_written():
    frame = bytes.fromhex(CAPTURED)

    [body] = FrameReader().feed(frame)

    assert unpack_event(body) == ("x/y", {"a": 1, "_stamp": "2026-11-20T15:46:15.298691+00:00"})
    assert bare_frame(body) == frame


@given(EVENTS, st.sampled_from([bare_frame, prefixed_frame]), st.integers(1, 50))
def test_events_survive_both_framings_in_pieces_of_any_size(events, frame, size):
    stream = b"".join(frame(pack_event(tag, data)) for tag, data in events)
    reader = FrameReader()

    bodies = [body for at in range(0, len(stream), size) for body in reader.feed(stream[at : at + size])]

    assert [unpack_event(body) for body in bodies] == events


@given(st.lists(st.binary(max_size=100), max_size=5))
def test_no_stream_raises_anything_but_wire_errors(pieces):
    reader = FrameReader(max_frame=1000)
    try:
        for piece in pieces:
            for body in reader.feed(piece):
                unpack_event(body)
    except WireError:
        pass


@pytest.mark.parametrize(
    "stream",
    [
        b"\x00\x00\x10\x00",
        b"\xff\xff\xff\xff",
        b"GET / HTTP/1.0",
        b"\x82\xa4head\xdd\xff\xff\xff\xff",
        b"\x82\xa4head\x80\xa4nobo\xc4\x01x",
        b"\x00\x00\x00\x01\x01",
    ],
)
def test_streams_that_cannot_be_cut_are_refused(stream):
    with pytest.raises(WireError):
        list(FrameReader(max_frame=1000).feed(stream))


def test_a_bare_frame_that_never_ends_is_refused():
    reader = FrameReader(max_frame=1000)
    list(reader.feed(b"\x82\xa4head\x80\xa4body\xc5\x03\x00"))

    with pytest.raises(WireError):
        for _ in range(20):
            list(reader.feed(b"x" * 100))


@pytest.mark.parametrize("tag", ["", "ä", "a\nb"])
def test_tags_that_cannot_be_sent_are_refused(tag):
    with pytest.raises(WireError):
        pack_event(tag, {})


@pytest.mark.parametrize("body", [b"", b"tag", b"\n\n\x80", b"\xff\n\n\x80", b"tag\n\n", b"tag\n\n\x01"])
def test_bodies_that_are_not_events_are_refused(body):
    with pytest.raises(WireError):
        unpack_event(body)


def test_the_tag_is_read_without_the_data():
    assert tag_of(b"salt/auth\n\n\xc1") == "salt/auth"


def test_data_may_contain_the_end_of_a_tag():
    assert unpack_event(pack_event("t", {"x": "a\n\nb"})) == ("t", {"x": "a\n\nb"})


def test_a_stamp_has_microseconds_and_a_zone():
    moment = datetime.datetime.fromisoformat("2026-11-20T15:46:15+00:00")

    assert stamp(moment) == "2026-11-20T15:46:15.000000+00:00"
