"""Periodic loops started by the settings."""

import pytest

from salt_g.event.bus import Bus
from salt_g.minion.background.periodic import start_loops
from salt_g.minion.settings import PeriodicSettings


class Greenlets:
    """Records what is spawned; the test runs a round."""

    def __init__(self):
        self.loops = {}

    def spawn(self, function, *args, name):
        self.loops[name] = function.__self__


@pytest.fixture
def started():
    """Return a function that returns {name: loop} for these settings, and the actions of the rounds."""

    def build(opts):
        greenlets, bus, did = Greenlets(), Bus(), []
        bus_events = bus.subscribe(name="test")
        start_loops(
            PeriodicSettings.of(opts),
            supervisor=greenlets,
            bus=bus,
            run_job=lambda load: did.append(load),
            fire=lambda tag, data: did.append((tag, data)),
        )
        return greenlets.loops, did, bus_events

    return build


EVERY = {"grains_refresh_every": 1, "mine_interval": 60, "mine_enabled": True, "ping_interval": 0.5}


@pytest.mark.parametrize(
    ("opts", "names"),
    [
        (EVERY, {"grains_refresh_every", "mine_interval", "ping_interval"}),
        ({**EVERY, "mine_enabled": False}, {"grains_refresh_every", "ping_interval"}),
        (
            {"ping_interval": 0, "grains_refresh_every": None, "mine_interval": -5, "mine_enabled": True},
            set(),
        ),
        ({"ping_interval": "2"}, {"ping_interval"}),
        ({}, set()),
    ],
)
def test_a_loop_runs_where_its_setting_is_above_zero(started, opts, names):
    assert started(opts)[0].keys() == names


def test_minutes_become_seconds_and_the_first_round_comes_within_one(started):
    for _ in range(20):
        loops, _, _ = started(EVERY)
        assert {name: loop._pause for name, loop in loops.items()} == {
            **{"grains_refresh_every": 60.0, "mine_interval": 3600.0},
            "ping_interval": 30.0,
        }
        assert 0 <= loops["mine_interval"]._first <= 60 and 0 <= loops["ping_interval"]._first <= 30


def test_each_round_does_what_its_name_says(started):
    loops, did, events = started({**EVERY, "mine_return_job": 1})

    for loop in loops.values():
        loop._round()

    assert did == [
        {"fun": "mine.update", "arg": [], "return_job": True},
        ("minion_ping", "ping"),
    ]
    assert events.get(timeout=1).tag == "grains_refresh"
