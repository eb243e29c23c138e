"""The states of `beacon`."""

import pytest

from salt_g.states import beacon

PS = [{"processes": {"sshd": "stopped"}}]


@pytest.fixture
def configured(call_context):
    """Return a function that makes a minion with these beacons, and returns the calls made."""

    def make(beacons, **opts):
        calls = []

        def do(word):
            return lambda *given, **kwargs: calls.append((word, *given)) or {"result": True, "comment": word}

        words = ("add", "modify", "delete", "save", "enable_beacon", "disable_beacon")
        functions = {f"beacons.{word}": do(word) for word in words}
        call_context(functions={"beacons.list": lambda **kwargs: beacons, **functions}, opts=opts)
        return calls

    return make


def test_a_missing_beacon_is_added_and_saved(configured):
    calls = configured({})

    result = beacon.present("ps", save=True, processes={"sshd": "stopped"})

    assert result["comment"] == "Adding ps to beacons\nBeacon ps saved"
    assert result["changes"] == {"ps": "added"}
    assert calls == [("add", "ps", PS), ("save",)]


def test_a_beacon_that_is_right_stays(configured):
    calls = configured({"ps": PS})

    assert beacon.present("ps", processes={"sshd": "stopped"})["comment"] == "Job ps in correct state"
    assert not calls


def test_a_beacon_that_differs_is_modified(configured):
    calls = configured({"ps": PS})

    assert beacon.present("ps", processes={})["comment"] == "Modifying ps in beacons"
    assert calls == [("modify", "ps", [{"processes": {}}])]


def test_test_mode_says_what_would_be_done(configured):
    configured({}, test=True)

    result = beacon.present("ps", save=True, processes={})

    assert (result["result"], result["comment"]) == (None, "add\nBeacon ps would be saved")


def test_a_beacon_is_removed_once(configured):
    configured({"ps": PS})

    assert beacon.absent("ps")["comment"] == "Removed ps from beacons"
    assert beacon.absent("load")["comment"] == "load not configured in beacons"


def test_a_beacon_is_switched(configured):
    calls = configured({"ps": PS})

    assert beacon.disabled("ps")["changes"] == {"ps": "disabled"}
    assert beacon.enabled("ps")["changes"] == {}
    assert calls == [("disable_beacon", "ps")]
