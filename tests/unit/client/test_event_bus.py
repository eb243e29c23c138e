"""Stock's event bus for programs: the next event by its tag, within a time limit."""

import pytest

from salt_g.client.event_bus import LocalEventBus
from salt_g.client.link import MasterEvent


@pytest.fixture
def bus(link):
    return LocalEventBus({"event_match_type": "startswith"}, link=link)


def test_events_of_other_tags_are_passed_over(bus, link):
    link.put(0, "other/1", n=1)
    link.put(0, "mine/2", n=2)

    assert bus.get_event(tag="mine", no_block=True) == {"n": 2}
    assert bus.get_event(no_block=True) is None


def test_an_event_subscribed_to_is_kept_until_it_is_asked_for(bus, link):
    bus.subscribe("kept/")
    bus.subscribe("left/")
    bus.unsubscribe("left/")
    for number, tag in enumerate(("kept/1", "left/2", "lost/3", "kept/4", "wanted/5")):
        link.put(0, tag, n=number)

    assert bus.get_event(tag="wanted", no_block=True, full=True) == {"tag": "wanted/5", "data": {"n": 4}}

    assert [bus.get_event(no_block=True, full=True) for _ in range(3)] == [
        {"tag": "kept/1", "data": {"n": 0}},
        {"tag": "kept/4", "data": {"n": 3}},
        None,
    ]


@pytest.mark.parametrize(
    ("way", "tag"), [("endswith", "/9"), ("find", "b/"), ("regex", "a/.+"), ("fnmatch", "a*9")]
)
def test_the_method_of_matching_is_the_callers_or_the_settings(link, way, tag):
    for bus, match_type in (
        (LocalEventBus({}, link=link), way),
        (LocalEventBus({"event_match_type": way}, link=link), None),
    ):
        link.put(0, "c/1")
        link.put(0, "a/b/9", n=9)
        assert bus.get_event(tag=tag, match_type=match_type, no_block=True) == {"n": 9}


class BusyLink:
    """A bus that always has an event."""

    def subscribe(self, tag, way="startswith"):
        pass

    def next_event(self, timeout):
        return MasterEvent("other", {})


def test_a_wait_ends_in_time_on_a_bus_that_never_rests():
    bus = LocalEventBus({}, link=BusyLink())

    assert bus.get_event(wait=0.01, tag="mine") is None
    assert bus.get_event(tag="mine", no_block=True) is None


def test_iterating_yields_what_matches_in_order(bus, link):
    for number in range(4):
        link.put(0, "even/" if number % 2 == 0 else "odd/", n=number)

    found = bus.iter_events(tag="even/")

    assert [next(found), next(found)] == [{"n": 0}, {"n": 2}]


def test_firing_and_the_end_go_to_the_link(link):
    with LocalEventBus({}, link=link) as bus:
        assert bus.fire_event({"n": 1}, "mine") and bus.fire_master({"n": 2}, "mine")
        assert bus.get_event_noblock() == {"tag": "mine", "data": {"n": 1}}
        assert bus.get_event_block() == {"tag": "mine", "data": {"n": 2}}
        assert not link.is_closed
    assert link.is_closed
