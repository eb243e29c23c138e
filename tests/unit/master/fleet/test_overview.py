"""The overview of minions and its changes."""

import types

import pytest

from salt_g.master.fleet.overview import Overview

GRAINS = {
    "os": "Debian",
    "osrelease": "12",
    "ipv4": ["127.0.0.1", "10.0.0.1", "x", 5],
    "ipv6": ["::1", "fe80::1", "2001:db8::1"],
    "saltversion": "v" * 500,
}


class Fleet:
    """A master's fleet, as far as the overview reads it."""

    def __init__(self):
        self.ids = {"m1", "m2"}
        self.grains = {"m1": (GRAINS, {"secret": "pillar"})}
        self.sessions = {"m1": types.SimpleNamespace(seen=125.0)}
        self.there = {"m1"}
        self.runs = {}
        self.managers = ["m1", "m1"]

    @property
    def overview(self):
        return Overview(
            accepted=lambda: self.ids,
            data=types.SimpleNamespace(get=self.grains.get),
            session_of=self.sessions.get,
            connected=lambda: self.there,
            managers=lambda: self.managers,
            last_runs=types.SimpleNamespace(get=lambda id: self.runs.get(id, NONE)),
            epoch=1_000_000_000.0,
        )


NONE = {}


@pytest.fixture
def fleet():
    return Fleet()


def test_rows_have_the_facts_of_a_list_and_no_pillar(fleet):
    result = fleet.overview.changes({})

    first, second = result["rows"]
    assert (first["id"], first["os"], first["os_version"], first["kernel"]) == ("m1", "Debian", "12", None)
    assert first["addresses"] == ["10.0.0.1", "2001:db8::1"]
    assert len(first["version"]) == 100
    assert (first["seen"], first["connected"], first["resources"]) == (1_000_000_080, True, 2)
    assert (second["os"], second["seen"], second["connected"], second["last_run"]) == (
        None,
        None,
        False,
        None,
    )
    assert "secret" not in str(result)


def test_a_reader_gets_what_has_changed(fleet):
    overview = fleet.overview
    first = overview.changes({})
    place = {"boot": first["boot"], "number": first["number"]}
    assert overview.changes(place)["rows"] == []

    fleet.there.add("m2")
    fleet.sessions["m1"].seen = 126.0
    result = overview.changes(place)
    assert [row["id"] for row in result["rows"]] == ["m2"]

    fleet.ids.discard("m1")
    fleet.runs["m2"] = {"jid": "1"}
    result = overview.changes({"boot": result["boot"], "number": result["number"]})
    assert (result["gone"], [row["id"] for row in result["rows"]]) == (["m1"], ["m2"])
    assert not result["is_whole"]


def test_another_run_of_the_master_sends_all_rows(fleet):
    result = fleet.overview.changes({"boot": "other", "number": 7})

    assert result["is_whole"]
    assert len(result["rows"]) == 2
