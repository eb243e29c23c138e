"""Who is connected."""

import collections

import pytest

from salt_g.master.background import presence
from salt_g.master.background.presence import Presence, open_connections

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n"


class FakeSession:
    def __init__(self, id, address, seen):
        self.id, self.address, self.seen = id, address, seen


@pytest.fixture
def table(tmp_path, monkeypatch):
    path = tmp_path / "tcp"
    monkeypatch.setattr(presence, "_TABLES", (str(path), str(tmp_path / "none")))
    return path


def test_connections_of_the_port_are_counted_by_address(table):
    table.write_text(
        HEAD
        + "   0: 0100007F:1199 0100007F:C350 01 00000000:00000000 00:00000000 00000000\n"
        + "   1: 0100007F:1199 0100007F:C351 01 00000000:00000000 00:00000000 00000000\n"
        + "   2: 0100007F:1199 0200000A:C351 06 00000000:00000000 00:00000000 00000000\n"
        + "   3: 0100007F:119A 0200000A:C351 01 00000000:00000000 00:00000000 00000000\n"
    )

    assert open_connections(4505) == {"127.0.0.1": 2}


def test_ipv4_inside_of_ipv6_is_ipv4(table):
    table.write_text(
        HEAD
        + "   0: 0000000000000000FFFF00000100007F:1199 0000000000000000FFFF00000200000A:C350 01 0 0\n"
        + "   1: 00000000000000000000000001000000:1199 00000000000000000000000001000000:C350 01 0 0\n"
    )

    assert open_connections(4505) == {"10.0.0.2": 1, "::1": 1}


def test_of_several_minions_at_an_address_the_latest_heard_are_there(monkeypatch):
    sessions = [FakeSession("a", "10.0.0.1", 1.0), FakeSession("b", "10.0.0.1", 2.0)]
    sessions += [FakeSession("c", "10.0.0.2", 3.0), FakeSession("d", "10.0.0.3", 0.0)]
    counted = collections.Counter({"10.0.0.1": 1, "10.0.0.3": 1})
    monkeypatch.setattr(presence, "open_connections", lambda port: counted)

    assert Presence(sessions, 4505).connected() == {"b"}


def test_without_a_table_the_last_request_counts(monkeypatch):
    monkeypatch.setattr(presence, "open_connections", lambda port: None)
    sessions = [FakeSession("a", "", 10.0), FakeSession("b", "", 9000.0)]

    assert Presence(sessions, 4505, clock=lambda: 10_000.0).connected() == {"b"}


@pytest.fixture
def presence_of(monkeypatch):
    """Factory: presence of sessions [(id, address)] with these connections {address: number}."""

    def make(sessions, connections):
        monkeypatch.setattr(presence, "open_connections", lambda port: collections.Counter(connections))
        return Presence([FakeSession(id, address, 1.0) for id, address in sessions], 4505)

    return make


def test_who_has_no_connection_at_its_address_is_gone(presence_of):
    there = presence_of([("a", "10.0.0.1"), ("b", "10.0.0.2")], {"10.0.0.1": 1})

    # `never` has a key and was not heard since the start.
    assert there.gone(["a", "b", "never"], []) == {"b", "never"}


def test_behind_one_address_the_silent_are_gone_when_as_many_have_answered_as_are_connected(presence_of):
    there = presence_of([("a", "10.0.0.1"), ("b", "10.0.0.1")], {"10.0.0.1": 1})

    assert there.gone(["b"], answered=["a"]) == {"b"}
    assert there.gone(["a", "b"], answered=[]) == set()


def test_nobody_is_gone_for_sure_while_somebody_unknown_is_connected(presence_of):
    there = presence_of([("a", "10.0.0.1")], {"10.9.9.9": 1})

    assert there.gone(["a"], []) == set()
