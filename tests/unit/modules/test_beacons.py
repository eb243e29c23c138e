"""`beacons.*` functions, with a fake minion on a bus in memory."""

import contextlib
from types import SimpleNamespace

import pytest

from salt_g.minion.background.beacon_settings import BeaconSettings
from salt_g.modules import beacons

PS = [{"processes": {"sshd": "stopped"}}]


class Minion:
    """The bus of a minion that answers at once; implements `fleet.Events`."""

    def __init__(self, configured):
        self.settings = BeaconSettings(
            configured,
            validate=lambda name, config: (bool(config), "no settings"),
            available=lambda: ["load", "ps"],
        )
        self._answers = []

    def fire(self, tag, data):
        answer = self.settings.handle(data)
        self._answers.append(SimpleNamespace(tag=answer.tag, data=answer.data))
        return True

    @contextlib.contextmanager
    def watch(self, tag="", way="startswith"):
        self._answers = []
        self._tag = tag
        yield self

    def get(self, timeout=None):
        answer = self._answers.pop(0)
        assert answer.tag == self._tag
        return answer


@pytest.fixture
def minion(call_context, tmp_path):
    """Return a function that enters a call beside a running minion with these beacons."""

    def start(configured=None):
        minion = Minion(configured or {})
        files = {"conf_file": str(tmp_path / "minion"), "default_include": "minion.d/*.conf"}
        call_context(events=minion, opts=files)
        return minion

    return start


def test_a_beacon_is_added_listed_and_deleted(minion):
    minion()

    assert beacons.add("ps", PS) == {"comment": "Added beacon: ps.", "result": True}
    assert beacons.list_() == "beacons:\n  ps:\n  - processes:\n      sshd: stopped\n"
    assert beacons.add("ps", PS)["comment"] == "Beacon ps is already configured."
    assert beacons.delete("ps") == {"comment": "Deleted beacon: ps.", "result": True}
    assert beacons.list_(return_yaml=False) == {}


def test_a_beacon_that_cannot_be_is_not_added(minion):
    minion()

    assert beacons.add("no", PS) == {"comment": 'Beacon "no" is not available.', "result": False}
    assert beacons.add("ps", [])["comment"] == "Beacon ps configuration invalid, not adding.\nno settings"


def test_modify_reports_what_differs(minion):
    minion({"ps": PS})

    result = beacons.modify("ps", [{"processes": {"sshd": "running"}}])

    assert result["comment"] == "Modified beacon: ps."
    assert "+processes:{'sshd': 'running'}" in result["changes"]["diff"]
    assert beacons.modify("x", PS)["comment"] == "Beacon x is not configured."


def test_beacons_are_switched(minion):
    running = minion({"ps": PS})

    assert beacons.disable()["comment"] == "Disabled beacons on minion."
    assert beacons.enable()["comment"] == "Enabled beacons on minion."
    assert beacons.disable_beacon("ps")["comment"] == "Disabled beacon ps on minion."
    assert beacons.enable_beacon("ps")["comment"] == "Enabled beacon ps on minion."
    assert beacons.enable_beacon("x")["comment"] == "Beacon x is not currently configured."
    assert running.settings.own == {"ps": [*PS, {"enabled": True}], "enabled": True}


def test_test_mode_changes_nothing(minion):
    running = minion({"ps": PS})

    assert beacons.add("load", PS, test=True)["comment"] == "Beacon: load would be added."
    assert beacons.delete("ps", test=True)["comment"] == "Beacon: ps would be deleted."
    assert beacons.disable(test=True)["comment"] == "Beacons would be disabled."
    assert beacons.reset(test=True)["comment"] == "Beacons would be reset."
    assert running.settings.own == {"ps": PS}


def test_beacons_are_saved(minion, tmp_path):
    minion({"ps": PS})

    assert beacons.save() == {
        "comment": f"Beacons saved to {tmp_path}/minion.d/beacons.conf.",
        "result": True,
    }
    assert "processes" in (tmp_path / "minion.d" / "beacons.conf").read_text()


def test_all_is_reset(minion):
    running = minion({"ps": PS})

    assert beacons.reset() == {"comment": "Beacon configuration reset.", "result": True}
    assert running.settings.own == {}
    assert beacons.list_available() == "beacons:\n- load\n- ps\n"


def test_without_a_minion_there_are_no_beacons(call_context):
    call_context()

    assert beacons.list_() == "beacons: null\n"
    assert beacons.delete("ps")["result"] is False
