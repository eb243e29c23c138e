"""Look-ups of resources by type, id, SRN and minion."""

import pytest

from salt_g.errors import TargetError
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.resource_model.srn import Srn


@pytest.fixture
def registry():
    return ResourceRegistry()


@pytest.fixture
def add(registry):
    def added(kind, id, minion="gw1", standby=()):
        record = Record(Srn(kind, id), minion, standby)
        registry.add(record)
        return record

    return added


def test_a_resource_is_found_by_each_of_its_names(registry, add):
    record = add("dummy", "d-1")

    assert registry.get("dummy", "d-1") is registry.find("dummy:d-1") is registry.named("d-1") is record
    assert registry.named("dummy:d-1") is record
    assert registry.named("d-2") is registry.find("dummy") is None


def test_an_id_of_two_types_is_named_by_its_srn(registry, add):
    one, two = add("dummy", "x"), add("thing", "x")

    assert [registry.name_of(record) for record in (one, two)] == ["dummy:x", "thing:x"]
    with pytest.raises(TargetError, match="'x' is the id of dummy:x and thing:x"):
        registry.named("x")
    registry.drop(two)
    assert registry.name_of(one) == "x"
    assert registry.named("x") is one


def test_of_three_with_one_id_two_stay_ambiguous(registry, add):
    one, two, three = add("a", "x"), add("b", "x"), add("c", "x")

    registry.drop(two)

    assert registry.with_id("x") == (one, three)
    assert registry.name_of(three) == "c:x"


def test_minions_hold_and_wait(registry, add):
    record = add("dummy", "d-1", "gw1", ("gw2",))
    assert (registry.held("gw1"), registry.waiting("gw2")) == ({record}, {record})

    registry.assign(record, "gw2", ("gw3",))

    assert (registry.held("gw1"), registry.held("gw2")) == (set(), {record})
    assert (registry.waiting("gw2"), registry.waiting("gw3")) == (set(), {record})
    assert registry.minions() == ["gw2", "gw3"]
    assert record.managers == ("gw2", "gw3")


def test_nothing_is_left_of_what_is_dropped(registry, add):
    record = add("dummy", "d-1", "gw1", ("gw2",))

    registry.drop(record)

    assert (len(registry), registry.types(), registry.minions(), list(registry)) == (0, [], [], [])
    assert registry.with_id("d-1") == ()
