"""Events of the minion's bus go to their handlers, one by one."""

import pytest

from salt_g.event.bus import Bus
from salt_g.minion.event_handlers import serve
from tests.support.waiting import hub_until


@pytest.fixture
def serving(supervisor):
    """Return a function that makes a bus whose events go to these handlers, and its serving greenlet."""

    def start(handlers):
        bus = Bus()
        subscription = bus.subscribe_by(handlers.__contains__, name="test")
        return bus, subscription, supervisor.spawn(serve, subscription, handlers, name="test")

    return start


def test_each_event_goes_to_the_handler_of_its_very_tag(serving):
    seen = []
    bus, _, _ = serving(
        {"a": lambda data: seen.append(("a", data["n"])), "b": lambda data: seen.append(("b", data["n"]))}
    )

    for number, tag in enumerate(("b", "a/more", "a", "c", "b")):
        bus.fire(tag, {"n": number})

    hub_until(lambda: len(seen) == 3)
    assert seen == [("b", 0), ("a", 2), ("b", 4)]


@pytest.mark.parametrize("error", [KeyError("missing"), SystemExit(1)])
def test_a_handler_that_fails_is_logged_and_the_next_event_is_handled(serving, caplog, error):
    seen = []

    def fail(data):
        raise error

    bus, _, greenlet = serving({"bad": fail, "good": seen.append})

    bus.fire("bad", {})
    bus.fire("good", {"n": 1})

    hub_until(lambda: seen)
    assert (caplog.messages, greenlet.dead) == (["handling of event bad failed"], False)
    assert caplog.records[0].exc_info[1] is error


def test_serving_ends_with_the_subscription(serving):
    _, subscription, greenlet = serving({"a": print})
    hub_until(lambda: greenlet.started)

    subscription.close()

    hub_until(lambda: greenlet.dead)
    assert greenlet.successful()
