"""Delay of greenlets' turns on the hub."""

from salt_g.telemetry.hub_latency import INTERVAL, HubLatency


def _measured(delays):
    now = 0.0
    coming = iter(delays)

    def sleep(seconds):
        nonlocal now
        now += seconds + next(coming)

    delay = HubLatency(clock=lambda: now, sleep=sleep)
    for _ in delays:
        delay.measure()
    return delay


def test_the_delay_of_a_sleep_is_measured():
    delay = _measured([0.0] * 99 + [0.5])

    lately = delay.lately()

    assert delay.histogram.count == 100
    assert lately["0.5"] < 0.001
    assert abs(lately["1"] - 0.5) < 1e-6


def test_the_latest_figures_forget_what_is_a_minute_ago():
    delay = _measured([5.0] + [0.0] * int(60 / INTERVAL))

    assert delay.lately()["1"] < 0.001
    assert delay.histogram.sum > 4.9


def test_before_the_first_measurement_there_is_no_delay():
    assert HubLatency().lately() == {"0.5": 0.0, "0.99": 0.0, "1": 0.0}
