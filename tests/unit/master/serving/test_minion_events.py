"""Events fired by minions, as they arrive on the master's bus."""

import pytest

from salt_g.event.bus import Bus
from salt_g.event.minion_policy import MAX_EVENTS
from salt_g.master.commands import taken_fields
from salt_g.master.returns.return_intake import LARGE
from salt_g.master.serving.minion_events import MAX_NAMED, MinionEvents
from salt_g.wire.requests import SealedRequest


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def fire(bus):
    """Return a function that fires events as m1 and returns those of subscribers: `fire(load, size)`."""
    handler, events = MinionEvents(bus), bus.subscribe(name="test")

    def take(load, size=0):
        take.reply = handler.take(SealedRequest("m1", load, "", None, "", "", 3, size), load)
        return [(event.tag, event.data) for event in iter(events.take, None)]

    return take


@pytest.mark.parametrize("size", [0, LARGE])
def test_permitted_events_are_fired_in_order_and_the_others_are_logged(fire, caplog, size):
    load = {
        "events": [
            {"tag": "mine/1", "data": {"a": 1}},
            {"tag": "salt/auth", "data": {"act": "accept"}},
            {"tag": "salt/minion/m2/start", "data": {}},
            {"tag": "salt/minion/m1/start", "data": {}},
        ]
    }

    fired = fire(load, size)

    assert [tag for tag, _ in fired] == ["mine/1", "salt/minion/m1/start"]
    assert fired[0][1]["a"] == 1
    assert fire.reply == {"refused": ["salt/auth", "salt/minion/m2/start"]}
    for tag in ("salt/auth", "salt/minion/m2/start"):
        assert f"m1: may not fire the event {tag!r}" in caplog.text


def test_an_event_alone_has_the_id_of_its_sender_whatever_it_says(fire):
    ((tag, data),) = fire({"tag": "mine", "data": {"x": 1}, "id": "m2"})

    assert (tag, data["id"], data["data"]) == ("mine", "m1", {"x": 1})


def test_no_list_of_events_is_the_same_as_none(fire):
    assert [tag for tag, _ in fire({"tag": "mine", "data": {}, "events": None})] == ["mine"]
    assert fire({"events": []}) == []
    assert fire.reply is None


@pytest.mark.parametrize("event", [None, "mine", {"tag": "mine", "data": [1]}, {"data": {}}, {"tag": 5}])
def test_a_malformed_event_is_refused_and_the_next_is_fired(fire, event):
    assert [tag for tag, _ in fire({"events": [event, {"tag": "next", "data": {}}]})] == ["next"]


def test_an_event_that_cannot_be_packed_costs_only_itself(fire, caplog):
    deep = []
    for _ in range(2000):
        deep = [deep]

    fired = fire({"events": [{"tag": "deep", "data": {"x": deep}}, {"tag": "next", "data": {}}]})

    assert [tag for tag, _ in fired] == ["next"]
    assert "m1: cannot fire its event deep" in caplog.text


@pytest.mark.parametrize(
    ("load", "problem"),
    [
        ({"events": [{}] * (MAX_EVENTS + 1)}, "events has 1001 entries"),
        ({"tag": "x" * 1025}, "tag has 1025"),
        ({"tag": 5}, "tag is int"),
        ({"events": {}}, "events is dict"),
    ],
)
def test_the_command_bounds_its_fields(bus, load, problem):
    command = MinionEvents(bus).commands()["_minion_event"]

    taken, found = taken_fields(command, SealedRequest("m1", load, "", None, "", "", 3))

    assert (taken, problem in found) == ({}, True)


def test_a_reply_names_a_bounded_number_of_refused_tags(fire):
    fire({"events": [{"tag": "salt/auth", "data": {}}] * 100})

    assert fire.reply == {"refused": ["salt/auth"] * MAX_NAMED}


def test_live_steps_are_answered_with_a_pause(bus):
    handler = MinionEvents(bus)
    load = {"events": [{"tag": "salt/job/20260102030405678901/step/m1", "data": {"total": 1}}]}

    assert handler.take(SealedRequest("m1", load, "", None, "", "", 3, 0), load) == {"pause": 0.1}
