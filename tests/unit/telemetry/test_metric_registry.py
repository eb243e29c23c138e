"""Counters, gauges, histograms, and the text that Prometheus reads."""

import pytest

from salt_g.telemetry.metric_registry import Histogram, MetricRegistry
from tests.support.metrics_format import parse


def test_text_is_what_prometheus_reads():
    registry, histogram = MetricRegistry(), Histogram()
    for value in (0.0001, 0.002, 0.002, 99):
        histogram.observe(value)
    registry.counter("salt_g_events_total", 'Odd \\ "help"\nof two lines.', lambda: 7)
    registry.gauge("salt_g_memory_bytes", "Memory.", lambda: {'a "b" \\\n': 1.5, "rss": 2}, label="kind")
    registry.histogram("salt_g_request_seconds", "Time.", {"_return": histogram}, label="command")

    found = parse(registry.text())

    assert found["salt_g_events_total"]["samples"] == [("", {}, 7.0)]
    assert found["salt_g_memory_bytes"]["samples"][0] == ("", {"kind": 'a \\"b\\" \\\\\\n'}, 1.5)
    assert ("_bucket", {"command": "_return", "le": "0.003"}, 3.0) in found["salt_g_request_seconds"][
        "samples"
    ]
    assert ("_count", {"command": "_return"}, 4.0) in found["salt_g_request_seconds"]["samples"]


def test_a_value_on_a_bound_counts_below_it():
    histogram = Histogram((1.0, 2.0))

    for value in (1.0, 1.5, 2.0, 2.5):
        histogram.observe(value)

    assert histogram.counts == [1, 2, 1]
    assert (histogram.count, histogram.sum) == (4, 7.0)


def test_quantiles_lie_within_their_bucket():
    histogram = Histogram((1.0, 2.0, 4.0))
    for value in [0.5] * 50 + [1.5] * 49 + [100.0]:
        histogram.observe(value)

    assert histogram.quantile(0.5) == 1.0
    assert 1.0 < histogram.quantile(0.9) < 2.0
    assert histogram.quantile(1.0) == 4.0
    assert Histogram().quantile(0.99) == 0.0


def test_the_map_has_numbers_by_label_and_what_people_ask_of_histograms():
    registry, used, unused = MetricRegistry(), Histogram((1.0, 2.0)), Histogram((1.0, 2.0))
    used.observe(0.5)
    registry.gauge("salt_g_open_files", "Files.", lambda: 12)
    registry.gauge("salt_g_none", "Nothing yet.", dict, label="kind")
    registry.histogram("salt_g_request_seconds", "Time.", {"a": used, "b": unused}, label="command")

    found = registry.map()

    assert found["salt_g_open_files"] == 12
    assert found["salt_g_none"] == {}
    assert found["salt_g_request_seconds"] == {"a": {"count": 1, "sum": 0.5, "p50": 0.5, "p99": 0.99}}


@pytest.mark.parametrize("name", ["salt-g_total", "Salt_total", "2_total", ""])
def test_a_wrong_name_is_refused(name):
    with pytest.raises(ValueError, match=r"called|_total"):
        MetricRegistry().counter(name, "Wrong.", lambda: 0)


def test_a_counter_is_called_total_and_a_name_is_there_once():
    registry = MetricRegistry()
    registry.gauge("salt_g_sessions", "Sessions.", lambda: 0)

    with pytest.raises(ValueError, match="_total"):
        registry.counter("salt_g_events", "Events.", lambda: 0)
    with pytest.raises(ValueError, match="twice"):
        registry.gauge("salt_g_sessions", "Sessions.", lambda: 0)
