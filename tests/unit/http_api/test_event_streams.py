"""Streams of events to clients."""

import json

import pytest

from salt_g.http_api.event_log import EventLog
from salt_g.http_api.event_streams import PIECE, RENEW, EventStream, sse, start_of, write_message


class Everything:
    def may_see(self, event):
        return event.tag != "hidden"


@pytest.fixture
def log():
    return EventLog(max_events=3)


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def stream(log, now):
    return lambda after=0, expire=200.0, **more: EventStream(
        log, Everything(), after=after, expire=expire, clock=lambda: now[0], **more
    )


def test_events_are_written_as_stocks_clients_read_them(log, stream, packed):
    log.add(packed("t/1", n=1))
    log.add(packed("hidden"))
    body = sse(stream(), has_gap=False)

    assert next(body) == b"retry: 400\n"
    lines = next(body).decode().split("\n")
    assert lines[0] == "tag: t/1"
    assert lines[1].startswith('data: {"data": {"n": 1, ')
    assert lines[1].endswith('"tag": "t/1"}')
    assert lines[2:] == [f"id: {log.boot}-1", "", ""]


def test_a_slow_reader_learns_how_many_it_lost(log, stream, packed):
    for number in range(5):
        log.add(packed(f"t/{number}"))
    slow = stream()

    piece = next(slow.events(write_message))

    assert piece.startswith(b'event: gap\ndata: {"lost": 2}\n\n')
    assert slow.lost == 2


def test_a_large_event_comes_in_parts_between_others(log, stream, packed):
    log.add(packed("t/1"))
    log.add(packed("t/2", text="x" * 3 * PIECE))
    log.add(packed("t/3"))
    events = stream().events(write_message)

    pieces = [next(events) for _ in range(7)]

    assert max(map(len, pieces)) <= PIECE
    texts = [part for part in b"".join(pieces).split(b"\n\n") if part]
    assert [json.loads(text.removeprefix(b"data: "))["tag"] for text in texts] == ["t/1", "t/2", "t/3"]


def test_a_large_event_ends_early_when_its_stream_is_closed(log, stream, packed):
    log.add(packed("t/1", text="x" * 3 * PIECE))
    open_one = stream()
    events = open_one.events(write_message)
    next(events)

    open_one.close()

    assert b"".join(events).count(b"x") < PIECE


def test_a_master_that_was_away_leaves_a_gap(log, stream, packed):
    log.add(packed("t/1"))
    log.note_gap()
    log.add(packed("t/2"))

    piece = next(stream().events(write_message))

    assert piece.index(b"t/1") < piece.index(b"event: gap") < piece.index(b"t/2")


def test_a_stream_ends_with_its_login_and_by_word(log, stream, packed, now):
    closed = stream()
    closed.close()
    assert list(closed.events(write_message)) == []

    log.add(packed("t/1"))
    now[0] = 201.0
    assert list(stream().events(write_message)) == []


def test_tags_can_be_chosen(log, stream, packed):
    log.add(packed("a/1"))
    log.add(packed("b/1"))

    assert b"a/1" not in next(stream(tag="b/").events(write_message))


def test_the_start_of_a_stream_is_after_the_last_event_seen(log, packed):
    for number in range(3):
        log.add(packed(f"t/{number}"))

    assert start_of(log, "") == (3, False)
    assert start_of(log, f"{log.boot}-1") == (1, False)
    assert start_of(log, "other-1") == (3, True)
    assert start_of(log, f"{log.boot}-9") == (3, True)


def test_a_stream_follows_the_present_rights_and_ends_with_a_revoked_login(log, stream, packed, now):
    class OnlyHidden:
        def may_see(self, event):
            return event.tag == "hidden"

    answers = [OnlyHidden(), None]
    pieces = stream(expire=300.0, renew=lambda: answers.pop(0)).events(write_message)
    log.add(packed("t/1"))
    assert b"t/1" in next(pieces)

    now[0] += RENEW
    for tag in ("t/2", "hidden"):
        log.add(packed(tag))
    piece = next(pieces)
    assert b"hidden" in piece
    assert b"t/2" not in piece

    now[0] += RENEW / 2
    log.add(packed("hidden"))
    assert b"hidden" in next(pieces)

    now[0] += RENEW / 2 - 1
    log.add(packed("hidden"))
    now[0] += 1
    assert next(pieces, "over") == "over"
    assert not answers
