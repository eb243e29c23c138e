"""Presence of minions at any master of a cluster."""

from types import SimpleNamespace

import pytest

from salt_g.master.cluster import shared_presence
from salt_g.master.cluster.shared_presence import SharedPresence


class Store:
    """Store with rows (id, address, master) of minions at other masters."""

    def __init__(self, *rows):
        self.rows = list(rows)

    def read(self, sql, values):
        return [row for row in self.rows if row[2] != values[0]]


def of(store, own, *live, **more):
    presence = SimpleNamespace(connected=lambda: set(own))
    membership = SimpleNamespace(id="me", live=lambda: frozenset(live), beating=lambda: frozenset(live))
    return SharedPresence(presence, store, membership, **more)


def test_the_minions_of_a_dead_master_are_waited_for_until_they_are_elsewhere(monkeypatch):
    store, own = Store(("m1", "", "dead"), ("m2", "", "dead (before)"), ("m3", "", "b")), ["m1"]
    looks = []

    def come_back(seconds):
        looks.append(seconds)
        store.rows.append(("m2", "", "b"))

    monkeypatch.setattr("gevent.sleep", come_back)
    of(store, own, "b").wait_for_minions_of("dead")

    assert len(looks) == 1


def test_minions_elsewhere_are_those_of_other_masters_that_live():
    store = Store(("m1", "", "b"), ("m2", "", "dead"), ("m3", "", "b (before)"), ("m4", "", "me"))

    assert set(of(store, ["m5"], "b").elsewhere()) == {"m1"}


def test_a_minion_that_does_not_come_back_is_not_waited_for_without_end(monkeypatch):
    monkeypatch.setattr(shared_presence, "ON_THEIR_WAY", 0.01)

    of(Store(("m1", "", "dead")), []).wait_for_minions_of("dead")


@pytest.mark.parametrize("master", ["dead", "b"])
def test_a_master_without_minions_is_not_waited_for(master):
    of(Store(("m3", "", "b")), ["m1"], "b").wait_for_minions_of(master)


def test_the_minions_of_a_dead_master_move_for_some_time_also_when_they_have_just_arrived():
    now = [0.0]
    rows = [("m1", "", "dead"), ("m2", "", "dead (before)"), ("m3", "", "b"), ("m4", "", "dead")]
    store, own = Store(*rows), []
    presence = of(store, own, "b", clock=lambda: now[0])
    assert presence.moving(["m1", "m2", "m3", "m5"]) == {"m1", "m2"}

    own.append("m1")
    store.rows.append(("m2", "", "b"))
    now[0] = shared_presence.ON_THEIR_WAY / 2
    assert presence.moving(["m1", "m2", "m4"]) == {"m1", "m2", "m4"}

    now[0] = shared_presence.ON_THEIR_WAY
    assert presence.moving(["m1", "m2", "m4"]) == set()


def test_a_master_that_seems_to_end_again_and_again_is_waited_for_once():
    now, there = [0.0], set()
    presence = of(Store(("m1", "", "b")), [], clock=lambda: now[0])
    presence._membership.beating = lambda: frozenset(there)
    waited = []
    for second in range(40):
        now[0] = float(second)
        there.symmetric_difference_update({"b"})
        waited += [second] if presence.moving(["m1"]) else []

    assert waited[-1] < shared_presence.ON_THEIR_WAY + 2

    there.add("b")
    now[0] = 39 + shared_presence.ON_THEIR_WAY
    presence.moving([])
    there.clear()
    assert presence.moving(["m1"]) == {"m1"}
