"""Rounds of the beacons, with fake beacons and a manual clock."""

import sys

import pytest

from salt_g import api
from salt_g.minion.background.beacons import Beacons
from salt_g.minion.settings import BeaconRoundSettings
from salt_g.services.plugins import Services

DISABLED = {"enabled": False}


class Plugins:
    """Tables of one kind: beacons."""

    def __init__(self, functions):
        self.functions = functions

    def table(self, kind):
        return self.functions


@pytest.fixture
def rounds():
    """Return a function that makes beacons with these plugins.

    `.fired` are the fired events, `.now` is the clock, `.configs` the configurations that the plugins saw.
    """

    def make(beacons, functions=None, jobs=()):
        configs = []

        def tell(config):
            configs.append(config)
            return [{"tag": "sub", "value": 1}, {"id": "other"}]

        table = {"b.beacon": tell, "b.validate": lambda config: (True, "fine"), **(functions or {})}
        services = Services(plugins=lambda: Plugins(table))
        context = api.CallContext(opts={}, grains={}, pillar={}, services=services)
        fired = []
        made = Beacons(
            BeaconRoundSettings("m1", beacons),
            context=lambda: context,
            send=lambda events: None,
            running=lambda: list(jobs),
            fire=lambda tag, data: fired.append((tag, data)),
            clock=lambda: made.now,
        )
        made.now, made.fired, made.configs = 0.0, fired, configs
        return made

    return make


def test_events_have_tags_below_the_minion_and_the_beacon(rounds):
    beacons = rounds({"b": [{"option": 1}]})

    assert beacons.round() == [
        {"tag": "salt/beacon/m1/b/sub", "data": {"id": "m1", "value": 1}},
        {"tag": "salt/beacon/m1/b/", "data": {"id": "other"}},
    ]
    assert beacons.configs == [[{"option": 1}, {"_beacon_name": "b"}]]


def test_a_beacon_may_have_another_name_than_its_plugin(rounds):
    beacons = rounds({"mine": [{"beacon_module": "b"}]})

    assert beacons.round()[0]["tag"] == "salt/beacon/m1/mine/sub"


def test_an_interval_is_waited_for(rounds):
    beacons = rounds({"b": [{"interval": 5}]})
    seen = []

    for beacons.now in range(12):
        seen.append(bool(beacons.round()))

    assert [second for second, has_events in enumerate(seen) if has_events] == [5, 10]


@pytest.mark.parametrize("config", [{"b": [DISABLED]}, {"enabled": False, "b": []}])
def test_a_disabled_beacon_is_not_called(rounds, config):
    assert rounds(config).round() == []


def test_a_state_run_may_silence_a_beacon(rounds):
    closed = []
    config = {"b": [{"disable_during_state_run": True}]}

    quiet = rounds(config, {"b.close": closed.append}, jobs=[{"fun": "state.apply"}])
    loud = rounds(config, jobs=[{"fun": "test.ping"}])

    assert (quiet.round(), len(loud.round()), len(closed)) == ([], 2, 1)


def test_a_failing_beacon_is_reported_and_stops_no_other(rounds):
    def fail(config):
        raise RuntimeError("out of order")

    beacons = rounds({"bad": [], "b": []}, {"bad.beacon": fail})

    events = beacons.round()

    assert events[0] == {"tag": "salt/beacon/m1/bad/", "data": {"id": "m1", "error": "out of order"}}
    assert len(events) == 3


def test_a_misbehaving_beacon_harms_no_other(rounds):
    table = {"a.beacon": lambda config: sys.exit(0), "a.close": lambda config: sys.exit(0)}
    beacons = rounds({"a": [], "odd": [{"interval": "5 minutes"}, {"beacon_module": "b"}], "b": []}, table)

    result = beacons.round()
    beacons.close()

    assert [event["tag"] for event in result] == [
        "salt/beacon/m1/a/",
        "salt/beacon/m1/odd/",
        "salt/beacon/m1/b/sub",
        "salt/beacon/m1/b/",
    ]
    assert "5 minutes" in result[1]["data"]["error"]


def test_settings_that_are_not_valid_are_not_used(rounds, caplog):
    beacons = rounds({"b": []}, {"b.validate": lambda config: (False, "not so")})

    assert beacons.round() == []
    assert "Beacon b configuration invalid, not running.\nnot so" in caplog.text


def test_a_beacon_may_run_once(rounds):
    beacons = rounds({"b": [{"run_once": True}]})

    assert [bool(beacons.round()), bool(beacons.round())] == [True, False]


def test_beacons_of_pillar_come_and_go(rounds):
    closed = []
    beacons = rounds({}, {"b.close": closed.append})

    beacons.refresh({"b": []})
    assert beacons.round()
    beacons.refresh({})

    assert beacons.round() == []
    assert len(closed) == 1


def test_a_beacon_is_added_changed_switched_and_deleted(rounds):
    beacons = rounds({}, {"b.close": lambda config: None})

    beacons.handle({"func": "add", "name": "b", "beacon_data": [{"x": 1}]})
    assert beacons.fired[-1] == (
        "/salt/minion/minion_beacon_add_complete",
        {"complete": True, "comment": "Added new beacon item: b", "beacons": {"b": [{"x": 1}]}},
    )
    beacons.handle({"func": "disable_beacon", "name": "b"})
    assert beacons.settings.own == {"b": [{"x": 1}, {"enabled": False}]}
    beacons.handle({"func": "enable_beacon", "name": "b"})
    assert beacons.round()
    beacons.handle({"func": "delete", "name": "b"})
    assert beacons.fired[-1][1]["comment"] == "Deleting beacon item: b"
    assert beacons.round() == []


def test_beacons_of_pillar_are_not_changed(rounds):
    beacons = rounds({})
    beacons.refresh({"b": []})

    beacons.handle({"func": "delete", "name": "b"})

    assert beacons.fired[-1][1]["complete"] is False
    assert beacons.fired[-1][1]["comment"] == "Cannot delete beacon item b, it is configured in pillar."


def test_available_and_valid_beacons_are_reported(rounds):
    beacons = rounds({})

    beacons.handle({"func": "list_available"})
    beacons.handle({"func": "validate_beacon", "name": "b", "beacon_data": []})

    assert beacons.fired[0][1]["beacons"] == ["b"]
    assert beacons.fired[1] == (
        "/salt/minion/minion_beacon_validation_complete",
        {"complete": True, "vcomment": "fine", "valid": True},
    )


def no_check(config):
    raise KeyError("files")


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (lambda config: True, (True, "")),
        (no_check, (False, "its check of the settings failed: KeyError: 'files'")),
        (lambda config: sys.exit(3), (False, "its check of the settings failed: SystemExit: 3")),
    ],
)
def test_a_check_of_any_form_is_answered(rounds, check, verdict):
    beacons = rounds({}, {"b.validate": check})

    beacons.handle({"func": "validate_beacon", "name": "b", "beacon_data": []})

    [(_, answer)] = beacons.fired
    assert (answer["valid"], answer["vcomment"]) == verdict
