"""Events to returners, on a bus in memory."""

from salt_g.master.returns.event_return import EventReturn


def test_each_event_goes_to_the_returner_at_once(begin, take):
    bus = begin(EventReturn, event_return="a")

    bus.fire("x/1", {})
    bus.fire("x/2", {})

    assert take(2) == [["x/1"], ["x/2"]]


def test_events_are_gathered(begin, take):
    bus = begin(EventReturn, event_return=["a"], event_return_queue=3)

    for number in range(7):
        bus.fire(f"x/{number}", {})

    assert take(2) == [["x/0", "x/1", "x/2"], ["x/3", "x/4", "x/5"]]


def test_gathered_events_do_not_wait_for_ever(begin, take):
    bus = begin(EventReturn, event_return="a", event_return_queue=100, event_return_queue_max_seconds=0.05)

    bus.fire("x", {})

    assert take() == [["x"]]


def test_lists_say_what_is_stored(begin, take):
    bus = begin(
        EventReturn, event_return="a", event_return_whitelist=["x/*"], event_return_blacklist=["x/secret*"]
    )

    for tag in ("y", "x/secret/1", "x/1"):
        bus.fire(tag, {})

    assert take() == [["x/1"]]


def test_a_returner_that_fails_stops_no_other(begin, take, caplog):
    bus = begin(EventReturn, event_return=["b", "nowhere", "a"])

    bus.fire("x", {})

    assert take() == [["x"]]
    assert "1 events not saved by returner b: disk full" in caplog.text
    assert "returner nowhere is not available" in caplog.text
