"""Outgoing events: in order, bounded, without waiting."""

import pytest

from salt_g.errors import NoReply
from salt_g.minion.connection.event_outbox import MAX_BYTES, MAX_EVENTS, TIMEOUT, EventOutbox
from tests.support.waiting import hub_until


class Master:
    """Accepts events; fails for the tags in `silent`, and answers with `reply`."""

    def __init__(self, silent=(), reply=None):
        self.silent, self.events, self.reply = silent, [], reply

    def ask(self, load, *, timeout):
        assert timeout == TIMEOUT
        if load.get("tag") in self.silent:
            raise NoReply("master", timeout)
        self.events.append(load)
        return self.reply


@pytest.fixture
def sent(supervisor):
    """Return the events that the master of an outbox received, once there are `count`."""

    def run(outbox, master, count):
        supervisor.spawn(outbox.run, name="outbox")
        hub_until(lambda: len(master.events) >= count)
        return master.events

    return run


def test_events_are_sent_in_order_with_their_fields(sent):
    master = Master()
    outbox = EventOutbox(master)
    outbox.fire("one", {"n": 1}, pretag="pre")
    outbox.fire_many([{"tag": "a", "data": {}}, {"tag": "b", "data": {}}], "beacon")

    assert sent(outbox, master, 2) == [
        {"cmd": "_minion_event", "tag": "one", "data": {"n": 1}, "pretag": "pre"},
        {
            "cmd": "_minion_event",
            "events": [{"tag": "a", "data": {}}, {"tag": "b", "data": {}}],
            "pretag": "beacon",
        },
    ]


def test_an_event_that_the_master_does_not_take_is_lost_alone(sent, caplog):
    master = Master(silent=("bad",))
    outbox = EventOutbox(master)
    for tag in ("bad", "good"):
        outbox.fire(tag, {})

    assert [load["tag"] for load in sent(outbox, master, 1)] == ["good"]
    assert [text for text in caplog.messages if "has not accepted an event (bad)" in text]


def test_an_event_that_the_master_refuses_is_named_with_the_reason(sent, caplog):
    outbox = EventOutbox(master := Master(reply={"refused": ["salt/auth"]}))
    outbox.fire("salt/auth", {})
    outbox.fire("salt/auth", {})
    sent(outbox, master, 2)

    assert "the master refused the event salt/auth: tags below 'salt' belong to the daemons" in caplog.text


def test_an_event_fired_later_is_sent_too(sent):
    master = Master()
    outbox = EventOutbox(master)
    outbox.fire("one", {})
    sent(outbox, master, 1)

    outbox.fire("two", {})

    hub_until(lambda: [load["tag"] for load in master.events] == ["one", "two"])


def test_beyond_the_number_the_oldest_are_dropped_and_counted(sent, caplog):
    master = Master()
    outbox = EventOutbox(master)
    for number in range(MAX_EVENTS + 3):
        outbox.fire(str(number), {})

    assert outbox.dropped == 3
    assert [text for text in caplog.messages if "dropped" in text] == [
        f"{MAX_EVENTS} event messages are queued; the oldest are dropped"
    ]
    events = sent(outbox, master, MAX_EVENTS)
    assert (len(events), events[0]["tag"], events[-1]["tag"]) == (MAX_EVENTS, "3", str(MAX_EVENTS + 2))


def test_beyond_the_bytes_the_oldest_are_dropped_and_a_single_large_one_stays(sent):
    master = Master()
    outbox = EventOutbox(master)
    part = "x" * (MAX_BYTES // 3)
    for tag in ("1", "2", "3"):
        outbox.fire(tag, part)
    assert outbox.dropped == 1

    outbox.fire("large", "x" * (MAX_BYTES - 100))

    assert outbox.dropped == 3
    assert [load["tag"] for load in sent(outbox, master, 1)] == ["large"]


def test_an_event_that_cannot_be_packed_is_for_the_master_to_refuse(sent):
    master = Master()
    outbox = EventOutbox(master)

    outbox.fire("odd", {"n": 1 << 70, "o": object()})

    assert sent(outbox, master, 1)[0]["tag"] == "odd"
