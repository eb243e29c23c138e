"""Reactions to events on the minion's own bus, and forwarding of events to the master."""

import pytest

from salt_g.errors import NoReply
from salt_g.event.bus import Bus
from salt_g.minion.connection.event_outbox import MAX_EVENTS, EventOutbox
from salt_g.minion.refresh_events import MODULES_DONE, PILLAR_DONE, RefreshEvents
from tests.support.waiting import hub_turns, hub_until


class Loader:
    def __init__(self, did):
        self.did = did

    def reload(self, kinds=()):
        self.did.append(("reload", *kinds))


class Facts:
    """Records its calls; `has_changed` is whether the grains have changed."""

    def __init__(self, master):
        self.did = []
        self.loader = Loader(self.did)
        self.has_changed = False
        self.channel = master

    def gather_grains(self):
        self.did.append(("grains",))
        return self.has_changed

    def compile_pillar(self):
        self.did.append(("pillar",))
        return True


class Master:
    def __init__(self):
        self.loads = []
        self.is_silent = False

    def ask(self, load, *, timeout=None):
        if self.is_silent:
            self.is_silent = False
            raise NoReply("master", 1)
        self.loads.append(load)


@pytest.fixture
def master():
    return Master()


@pytest.fixture
def call_data(master):
    return Facts(master)


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def delivered():
    return []


@pytest.fixture
def fire(supervisor, call_data, master, bus, delivered):
    """Return a function that fires an event, waits until it is handled, and returns the resulting tags."""
    outbox = EventOutbox(master)
    refresh_events = RefreshEvents(
        call_data,
        outbox,
        bus,
        deliver=delivered.append,
        register_resources=lambda: call_data.did.append(("resources",)),
        renew_resources=lambda: call_data.did.append(("renewal",)),
    )
    supervisor.spawn(refresh_events.run, name="refreshing")
    supervisor.spawn(outbox.run, name="outbox")

    def fired(event_tag, /, **data):
        hub_turns()
        with bus.subscribe(name="test") as watch:
            bus.fire(event_tag, data)
            hub_turns(5)
            tags = []
            while (event := watch.take()) is not None:
                tags.append(event.tag)
        return tags[1:]

    return fired


def test_leases_are_renewed_when_the_master_says_so(fire, call_data):
    fire("resource_renew")

    assert call_data.did == [("renewal",)]


def test_modules_are_read_anew_with_the_grains(fire, call_data):
    assert fire("module_refresh") == [MODULES_DONE]
    assert call_data.did == [("grains",), ("reload",)]


def test_pillar_comes_anew_and_the_end_is_reported(fire, call_data):
    assert PILLAR_DONE in fire("pillar_refresh")
    assert call_data.did[:3] == [("grains",), ("reload",), ("pillar",)]
    assert ("resources",) in call_data.did


def test_only_changed_grains_ask_for_pillar(fire, call_data):
    fire("grains_refresh")
    assert call_data.did == [("grains",)]

    call_data.has_changed = True
    fire("grains_refresh")
    assert call_data.did[-1] == ("pillar",)


def test_events_go_to_the_master_alone_or_together(fire, master):
    fire("fire_master", tag="my/tag", data={"a": 1}, events=None, pretag=None, preload={"jid": "1"})
    fire("fire_master", events=[{"tag": "x", "data": {}}], pretag="p")

    assert master.loads == [
        {"cmd": "_minion_event", "tag": "my/tag", "data": {"a": 1}, "pretag": None, "jid": "1"},
        {"cmd": "_minion_event", "events": [{"tag": "x", "data": {}}], "pretag": "p"},
    ]


def test_mine_data_go_to_the_master_and_nothing_else_does(fire, master, caplog):
    fire("_minion_mine", cmd="_mine", data={"test.ping": True})
    fire("_minion_mine", cmd="revoke_auth")

    assert master.loads == [{"cmd": "_mine", "data": {"test.ping": True}}]
    assert "revoke_auth" in caplog.text


def test_a_return_of_a_schedule_is_delivered(fire, delivered):
    fire("__schedule_return", jid="1", cmd="_return", **{"return": True})

    assert delivered == [{"jid": "1", "return": True}]


def test_an_event_that_goes_wrong_stops_no_other(fire, call_data, caplog):
    call_data.gather_grains = lambda: 1 / 0

    fire("module_refresh")
    fire("matchers_refresh")

    assert call_data.did == [("reload", "matchers")]
    assert "handling of event module_refresh failed" in caplog.text


def test_an_event_refused_by_the_master_is_reported_and_the_next_one_sent(supervisor, master, caplog):
    outbox = EventOutbox(master)
    supervisor.spawn(outbox.run, name="outbox")
    master.is_silent = True

    outbox.fire("a", {})
    outbox.fire("b", {})
    hub_until(lambda: master.loads)

    assert [load["tag"] for load in master.loads] == ["b"]
    assert "has not accepted an event (a)" in caplog.text


def test_of_too_many_events_the_oldest_are_dropped(master, caplog):
    outbox = EventOutbox(master)

    for number in range(MAX_EVENTS + 3):
        outbox.fire(str(number), {})

    assert outbox.dropped == 3
    assert caplog.text.count("the oldest are dropped") == 1
