"""Metrics of a master's requests, minions, bus and store."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.event.bus import Bus
from salt_g.master.background.master_metrics import add_inner, timed
from salt_g.master.commands import WireCommand
from salt_g.telemetry.metric_registry import MetricRegistry


@pytest.fixture
def registry():
    return MetricRegistry()


def lines(registry, start):
    return [line for line in registry.text().splitlines() if line.startswith(start)]


def test_requests_are_timed_by_command_even_if_they_fail(registry):
    def fail(request, load):
        raise KeyError(load)

    good = WireCommand(lambda request, load: (request, load))
    commands = timed({"good": good, "bad": WireCommand(fail)}, registry)

    assert [commands["good"].run("request", number) for number in range(3)] == [
        ("request", number) for number in range(3)
    ]
    with pytest.raises(KeyError):
        commands["bad"].run("request", {})
    assert lines(registry, "salt_g_request_seconds_count") == [
        'salt_g_request_seconds_count{command="good"} 3',
        'salt_g_request_seconds_count{command="bad"} 1',
    ]


def test_a_timed_command_is_otherwise_as_it_was(registry):
    command = timed({"good": WireCommand(print, {"x": 1}, seals=True)}, registry)["good"]

    assert (command.fields, command.seals) == ({"x": 1}, True)


def test_the_bus_the_store_and_running_calls_are_read_when_asked(registry, tmp_path):
    class Calls:
        """Calls of which two are running."""

        def running(self):
            return {"1": {}, "2": {}}

    bus = Bus()
    with EmbeddedStore(str(tmp_path)) as store:
        add_inner(registry, bus, store, Calls())
        assert lines(registry, "salt_g_events_waiting") == ["salt_g_events_waiting 0"]
        bus.subscribe(name="idle")
        slow = bus.subscribe(name="slow", max_events=2)
        bus.subscribe("y", name="other")
        for _ in range(3):
            bus.fire("x", {})
        slow.close()

        result = registry.text().splitlines()

    for line in (
        "salt_g_calls_running 2",
        "salt_g_events_total 3",
        "salt_g_events_dropped_total 1",
        "salt_g_event_subscribers 2",
        "salt_g_events_waiting 3",
        "salt_g_store_failures_total 0",
    ):
        assert line in result
