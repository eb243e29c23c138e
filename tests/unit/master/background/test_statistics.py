"""The event with statistics of the requests in an interval."""

from salt_g.event.bus import Bus
from salt_g.master.background.statistics import Statistics
from salt_g.telemetry.metric_registry import Histogram, MetricRegistry


def test_each_event_has_the_requests_of_its_own_interval():
    histograms = {"_pillar": Histogram(), "_return": Histogram()}
    registry, bus, times = MetricRegistry(), Bus(), iter([100.0, 160.0, 221.0])
    registry.histogram("salt_g_request_seconds", "Durations.", histograms, label="command")
    events = bus.subscribe("salt/stats/", name="test")
    statistics = Statistics(registry, bus, clock=lambda: next(times))

    histograms["_pillar"].observe(9.0)
    statistics.fire()
    for seconds in (1.0, 3.0):
        histograms["_pillar"].observe(seconds)
    statistics.fire()
    histograms["_return"].observe(0.5)
    statistics.fire()

    first, second = events.get(timeout=5), events.get(timeout=5)
    assert first.tag == second.tag == "salt/stats/master"
    assert (first.data["time"], first.data["stats"]) == (60.0, {"_pillar": {"runs": 2, "mean": 2.0}})
    assert (second.data["time"], second.data["stats"]) == (61.0, {"_return": {"runs": 1, "mean": 0.5}})
