"""Ownership of resources: first claim, standby, takeover, transfer after a drop."""

import pytest

from salt_g.master.resources.claim_checks import ClaimRules
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.ownership import Ownership
from salt_g.master.resources.registry import ResourceRegistry
from salt_g.resource_model.srn import Srn

D1 = Srn("dummy", "d-1")


class World:
    """An ownership with a clock; pillar assigns everything to minions that are not in `denied`."""

    def __init__(self, *, is_shared=False):
        self.now = 1000.0
        self.denied = set()
        self.registry = ResourceRegistry()
        self.leases = GrantedLeases(30.0, clock=lambda: self.now)
        self.ownership = Ownership(self.registry, self.leases, self._rules, is_shared=is_shared)

    def _rules(self, id):
        return ClaimRules((), (), {}, () if id in self.denied else ("*",), 10)

    def claim(self, id, *, leases=True):
        """Claim d-1 like a registration; return its recorded events."""
        changes = self.ownership.begin()
        (self.leases.renew if leases else self.leases.set_unlimited)(id)
        self.ownership.claim(D1, id, changes)
        return [act for act, _ in changes.events]

    def step(self, act, *words):
        changes = self.ownership.begin()
        act(*words, changes)
        return [(act, fields["minion"]) for act, fields in changes.events]

    @property
    def held(self):
        record = self.registry.get(*D1)
        return record and (record.minion, record.standby)


@pytest.fixture
def world():
    return World()


def test_the_first_claim_holds_and_the_next_stands_by(world):
    assert world.claim("gw1") == ["added"]
    assert world.claim("gw2") == []
    assert world.claim("gw2") == []

    assert world.held == ("gw1", ("gw2",))


def test_a_claim_after_the_lease_takes_it_over_and_the_former_holder_stands_by(world):
    world.claim("gw1")
    world.now += 31

    assert world.claim("gw2") == ["moved"]
    assert world.held == ("gw2", ("gw1",))
    assert world.ownership.moved["dummy:d-1"].minion == "gw1"


def test_a_minion_without_leases_neither_stands_by_nor_is_left_on_standby(world):
    world.claim("gw1")
    assert world.claim("stock", leases=False) == []
    assert world.held == ("gw1", ())
    world.now += 31

    world.claim("stock", leases=False)
    assert world.held == ("stock", ("gw1",))
    world.denied.add("stock")
    world.claim("gw1")
    assert world.held == ("gw1", ())


def test_a_minion_without_leases_keeps_what_pillar_gives_it(world):
    world.claim("stock", leases=False)
    world.now += 10**6

    world.claim("gw1")

    assert world.held == ("stock", ("gw1",))


def test_a_standby_takes_over_once_the_lease_is_over(world):
    world.claim("gw1")
    world.claim("gw2")
    assert world.step(world.ownership.take_over, "gw2") == []
    world.now += 31

    assert world.step(world.ownership.take_over, "gw2") == [("moved", "gw2")]
    assert world.held == ("gw2", ("gw1",))


def test_a_standby_that_lost_the_right_gets_nothing(world):
    world.claim("gw1")
    world.claim("gw2")
    world.now += 31
    world.denied.add("gw2")

    assert world.step(world.ownership.take_over, "gw2") == []


def test_a_dropped_resource_goes_to_the_first_heir_that_may_have_it(world):
    for id in ("gw1", "gw2", "gw3"):
        world.claim(id)
    world.denied.add("gw2")

    assert world.step(world.ownership.withdraw, "gw1", set()) == [("moved", "gw3")]
    assert world.held == ("gw3", ("gw2",))
    assert [record.srn for record in world.ownership.take_freed()] == ["dummy:d-1"]
    assert world.ownership.take_freed() == []


def test_a_resource_without_heirs_is_removed(world):
    world.claim("gw1")

    assert world.step(world.ownership.withdraw, "gw1", {D1}) == []
    assert world.step(world.ownership.withdraw, "gw1", set()) == [("removed", "gw1")]
    assert world.held is None


def test_a_standby_minion_that_no_longer_wants_it_is_forgotten(world):
    world.claim("gw1")
    world.claim("gw2")

    world.step(world.ownership.withdraw, "gw2", set())

    assert world.held == ("gw1", ())


def test_the_heir_of_a_revoked_minion_waits_for_the_end_of_its_lease(world):
    world.claim("gw1")
    world.claim("gw2")
    world.ownership.fence("gw1")
    world.step(world.ownership.withdraw, "gw1", set())
    record = world.registry.get(*D1)

    assert (world.ownership.is_free(record), world.ownership.take_freed()) == (False, [])
    world.now += 31
    assert world.ownership.is_free(record) is True
    assert world.ownership.take_freed() == [record]


def test_a_revoked_minion_that_comes_back_need_not_wait_for_itself(world):
    world.claim("gw1")
    world.ownership.fence("gw1")

    assert world.ownership.is_free(world.registry.get(*D1)) is True


def test_where_all_execute_every_minion_is_on_standby_and_nothing_moves():
    world = World(is_shared=True)
    world.claim("gw1")
    world.claim("stock", leases=False)
    world.now += 31
    world.claim("gw2")

    assert world.held == ("gw1", ("stock", "gw2"))
    assert world.step(world.ownership.take_over, "gw2") == []
