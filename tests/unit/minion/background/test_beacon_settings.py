"""Configured beacons: precedence, and the effects of requests."""

import pytest

from salt_g.minion.background.beacon_settings import BeaconAnswer, BeaconSettings, options_of


@pytest.fixture
def make():
    """Return a function that makes beacons of the settings and of pillar."""

    def build(own=None, pillar=None):
        made = BeaconSettings(
            own,
            validate=lambda name, config: (config == "good", f"{name} is {config}"),
            available=lambda: ["disk", "load"],
        )
        made.set_pillar(pillar)
        return made

    return build


def ask(settings, func, name=None, data=None, **more):
    return settings.handle({"func": func, "name": name, "beacon_data": data, **more})


def test_settings_come_before_pillar(make):
    assert make({"a": [1]}, {"a": [2], "b": [3]}).all() == {"a": [1], "b": [3]}


@pytest.mark.parametrize("odd", ["disk", ["disk"], 5])
def test_beacons_that_are_not_maps_are_ignored_and_reported(make, odd, caplog):
    assert make(odd, odd).all() == {}
    assert len(caplog.messages) == 2


@pytest.mark.parametrize("config", [[{"interval": 5}, {"enabled": False}], {"interval": 5, "enabled": False}])
def test_a_beacon_is_switched_in_either_form_of_its_settings(make, config):
    settings = make({"disk": config})

    answer = ask(settings, "enable_beacon", "disk")
    assert options_of(settings.own["disk"]) == {"interval": 5, "enabled": True}
    assert (answer.data["comment"], answer.stopped) == ("Enabling beacon item disk", ())

    answer = ask(settings, "disable_beacon", "disk")
    assert options_of(settings.own["disk"]) == {"interval": 5, "enabled": False}
    assert (answer.data["comment"], answer.stopped) == ("Disabling beacon item disk", ("disk",))
    assert options_of(config) == {"interval": 5, "enabled": False}


@pytest.mark.parametrize("func", ["add", "modify", "delete", "enable_beacon", "disable_beacon"])
def test_beacons_of_pillar_stay_as_they_are(make, func):
    settings = make({}, {"disk": [1]})

    answer = ask(settings, func, "disk", [2])

    assert (answer.data["complete"], answer.stopped, settings.all()) == (False, (), {"disk": [1]})
    assert "configured in pillar" in answer.data["comment"]


def test_adding_changing_and_deleting_say_what_stops(make):
    settings = make()

    found = [
        ask(settings, "add", "disk", [1]),
        ask(settings, "add", "disk", [2]),
        ask(settings, "modify", "disk", [3]),
        ask(settings, "delete", "disk"),
        ask(settings, "delete", "disk"),
    ]

    assert [(answer.data["comment"], answer.stopped) for answer in found] == [
        ("Added new beacon item: disk", ()),
        ("Updating settings for beacon item: disk", ()),
        ("Updating settings for beacon item: disk", ("disk",)),
        ("Deleting beacon item: disk", ("disk",)),
        ("Beacon item disk not found.", ()),
    ]
    assert settings.own == {}


def test_a_reset_keeps_pillar_and_stops_beacons_only(make):
    settings = make({"disk": [1], "enabled": True}, {"load": [2]})

    assert ask(settings, "reset").stopped == ("disk",)
    assert settings.all() == {"load": [2]}


def test_lists_hold_what_was_asked_for(make):
    settings = make({"disk": [1]}, {"load": [2]})

    def listed(**parts):
        return ask(settings, "list", **parts).data["beacons"]

    assert listed() == {"disk": [1], "load": [2]}
    assert listed(include_pillar=False) == {"disk": [1]}
    assert listed(include_opts=False) == {"load": [2]}
    assert ask(settings, "list_available").data["beacons"] == ["disk", "load"]
    assert ask(settings, "validate_beacon", "disk", "bad").data == {
        **{"complete": True, "valid": False},
        "vcomment": "disk is bad",
    }


def test_a_beacon_that_ran_once_is_disabled_wherever_it_is_configured(make):
    settings = make({"disk": {"x": 1}}, {"load": [{"y": 2}]})

    for name in ("disk", "load", "gone"):
        settings.disable(name)

    assert settings.own == {
        "disk": {"x": 1, "enabled": False},
        "load": [{"y": 2}, {"enabled": False}],
        "gone": [{"enabled": False}],
    }
    assert settings.pillar == {"load": [{"y": 2}]}


@pytest.mark.parametrize("func", [None, "", "unknown", ["list"]])
def test_an_unknown_request_is_not_answered(make, func, caplog):
    assert ask(make(), func) == BeaconAnswer()
    assert "unknown function" in caplog.messages[0]


@pytest.mark.parametrize(
    ("config", "options"),
    [
        ([{"a": 1}, {"b": 2}, {"a": 3}], {"a": 3, "b": 2}),
        ([{"a": 1}, "odd", None], {"a": 1}),
        (None, {}),
        ("odd", {}),
    ],
)
def test_options_are_one_map(config, options):
    assert options_of(config) == options
