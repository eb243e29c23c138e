"""Events in one process."""

import copy
import datetime
import itertools
import tracemalloc

import gevent
import pytest

from salt_g.errors import TargetError, WireError
from salt_g.event.bus import LAGGING, Bus
from salt_g.event.payloads import Payload
from salt_g.wire.events import pack_event, unpack_event

MOMENT = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)


@pytest.fixture
def bus():
    return Bus(clock=lambda: MOMENT, max_event_bytes=10_000)


def _tags(subscription):
    return [event.tag for event in iter(subscription.take, None)]


def test_an_event_carries_its_stamp_and_its_packed_form(bus):
    with bus.subscribe(name="test") as subscription:
        bus.fire("a/b", {"x": 1})
        event = subscription.take()

    assert event.data == {"x": 1, "_stamp": "2026-01-02T03:04:05.000000+00:00"}
    assert unpack_event(event.body) == ("a/b", event.data)


def test_the_debug_log_shows_data_redacted_and_cut(bus, caplog):
    caplog.set_level("DEBUG", logger="salt_g.event.bus")

    bus.fire("a/b", {"x": 1, "arg": ["--password=hunter2"]})
    bus.fire("long", {"x": "y" * 5000})
    bus.relay_packed(pack_event("packed", {"x": 1}))

    shown = [record.getMessage() for record in caplog.records]
    assert shown[0].startswith("event a/b: {'x': 1, 'arg': [") and "hunter2" not in shown[0]
    assert len(shown[1]) < 2100 and shown[1].endswith(" characters)")
    assert shown[2].startswith("event packed: ") and shown[2].endswith(" bytes")


def test_firing_leaves_the_callers_data_alone(bus):
    data = {"x": 1}

    bus.fire_payload(Payload("a", data))

    assert data == {"x": 1}


def test_each_subscriber_gets_what_it_wants_in_order(bus):
    everything = bus.subscribe(name="everything")
    jobs = bus.subscribe("salt/job/", name="jobs")
    starts = bus.subscribe("salt/minion/*/start", "fnmatch", name="starts")

    for tag in ("salt/job/1/new", "salt/minion/m1/start", "salt/job/1/ret/m1"):
        bus.fire(tag, {})

    assert len(_tags(everything)) == 3
    assert _tags(jobs) == ["salt/job/1/new", "salt/job/1/ret/m1"]
    assert _tags(starts) == ["salt/minion/m1/start"]


def test_a_subscriber_that_left_gets_nothing(bus):
    subscription = bus.subscribe(name="gone")
    subscription.close()

    bus.fire("a", {})

    assert subscription.take() is None
    assert bus.subscriptions == ()


def test_a_slow_subscriber_loses_its_oldest_events_and_is_warned_once(bus, caplog):
    slow = bus.subscribe(name="slow", max_events=3)
    quick = bus.subscribe(name="quick")

    for number in range(5):
        bus.fire(f"n/{number}", {})

    assert slow.dropped == 2
    assert _tags(slow) == ["n/2", "n/3", "n/4"]
    assert (len(_tags(quick)), quick.dropped) == (5, 0)
    assert caplog.text.count("slow is too slow") == 1


def test_queued_events_are_bounded_in_bytes(bus):
    slow = bus.subscribe(name="slow", max_bytes=2500)

    for number in range(5):
        bus.fire(f"n/{number}", {"x": "y" * 1000})

    assert _tags(slow) == ["n/3", "n/4"]


def test_an_event_larger_than_all_room_is_kept_alone(bus):
    slow = bus.subscribe(name="slow", max_bytes=100)

    bus.fire("small", {})
    bus.fire("large", {"x": "y" * 1000})

    assert _tags(slow) == ["large"]


def test_a_reader_waits_for_the_next_event(bus):
    subscription = bus.subscribe(name="reader")
    reader = gevent.spawn(subscription.get, 10)
    gevent.idle()

    bus.fire("a", {})

    assert reader.get(timeout=10).tag == "a"


def test_a_reader_gives_up_in_time(bus):
    assert bus.subscribe(name="reader").get(0.001) is None


def test_a_reader_ends_when_its_subscription_is_closed(bus):
    subscription = bus.subscribe(name="reader")
    reader = gevent.spawn(list, subscription)
    gevent.idle()

    bus.fire("a", {})
    gevent.idle()
    subscription.close()

    assert [event.tag for event in reader.get(timeout=10)] == ["a"]


def test_subscribers_may_come_and_go_while_an_event_is_given_out(bus):
    class Leaver:
        def __call__(self, tag):
            first.close()
            return True

    first = bus.subscribe(name="first")
    first._accepts = Leaver()
    second = bus.subscribe(name="second")

    bus.fire("a", {})

    assert _tags(second) == ["a"]


def test_an_event_of_a_local_program_keeps_its_stamp_and_bytes(bus):
    body = pack_event("a", {"x": 1, "_stamp": "then"})
    subscription = bus.subscribe(name="s")

    bus.relay(body)

    event = subscription.take()
    assert (event.data, event.body) == ({"x": 1, "_stamp": "then"}, body)


def test_an_event_of_a_local_program_without_a_stamp_gets_one(bus):
    assert bus.relay(pack_event("a", {"x": 1})).data["_stamp"].startswith("2026-01-02T")


def test_a_large_event_is_trimmed_and_still_has_its_small_values(bus):
    event = bus.fire("a", {"id": "m1", "return": "x" * 50_000})

    assert event.data["return"] == "VALUE_TRIMMED"
    assert event.data["id"] == "m1"
    assert len(event.body) <= 10_000


@pytest.mark.parametrize("tag", ["", "a\nb", "ü"])
def test_a_tag_that_has_no_form_is_refused(bus, tag):
    with pytest.raises(WireError):
        bus.fire(tag, {})


def test_a_way_that_does_not_exist_is_refused(bus):
    with pytest.raises(TargetError, match="use one of"):
        bus.subscribe("a", "soundex", name="s")


def test_nothing_is_lost_between_a_writer_and_a_reader_that_take_turns(bus):
    subscription = bus.subscribe(name="reader")

    def write():
        for number in range(300):
            bus.fire("n", {"n": number})
            if number % 7 == 0:
                gevent.idle()

    writer = gevent.spawn(write)
    read = [event.data["n"] for event in itertools.islice(subscription, 300)]
    writer.get(timeout=10)

    assert read == list(range(300))


def test_a_forwarder_holds_events_packed_only(bus):
    with bus.subscribe(name="packed", is_packed=True) as packed, bus.subscribe(name="values") as values:
        bus.fire("a/b", {"x": 1})
        event, whole = packed.take(), values.take()

    assert (event.tag, event.data, event.body) == ("a/b", {}, whole.body)
    assert whole.data["x"] == 1


def test_a_slow_subscriber_holds_little_more_than_the_waiting_events(bus):
    """As unpacked values these events take eight times as much memory as packed."""
    bus = Bus()
    states = {
        str(n): {"name": f"/etc/{n}", "result": True, "changes": {}, "n": n * 100_000} for n in range(1000)
    }
    with bus.subscribe(name="slow") as slow:
        tracemalloc.start()
        waiting = sum(len(bus.fire(f"n/{number}", copy.deepcopy(states)).body) for number in range(100))
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        taken = list(iter(slow.take, None))

    assert waiting > 3 * LAGGING
    assert held < 4 * waiting
    assert [event.tag for event in taken] == [f"n/{number}" for number in range(100)]
    assert all({**event.data, "_stamp": ""} == {**states, "_stamp": ""} for event in taken)
