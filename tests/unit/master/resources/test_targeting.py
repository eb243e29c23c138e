"""Resources selected by a target: by their own data, and only those of minions with an accepted key."""

import pytest

from salt_g.errors import TargetError
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.resources.targeting import ResourceTargeting
from salt_g.match.matchers import MinionView, parse_target
from salt_g.resource_model.srn import Srn

PILLAR = {"site": "north", "resources": {"dummy": {"hosts": {"d-1": {"room": "cellar"}}}}}


class Keys:
    """Key files with these accepted ids."""

    def accepted(self):
        return frozenset(("gw1", "gw2"))


@pytest.fixture
def looked_up():
    """Return the minions whose data was requested, in order."""
    return []


@pytest.fixture
def registry():
    registry = ResourceRegistry()
    for kind, id, minion, grains in (
        ("dummy", "d-1", "gw1", {"os": "a"}),
        ("dummy", "d-2", "gw1", {"os": "b"}),
        ("thing", "t-1", "gw2", {"os": "a"}),
        ("dummy", "d-9", "revoked", {"os": "a"}),
    ):
        registry.add(Record(Srn(kind, id), minion, (), grains))
    return registry


@pytest.fixture
def targeting(registry):
    return ResourceTargeting(
        registry, Keys(), pillar_key="resources", own_pillars={"dummy:d-2": {"room": "attic"}}
    )


@pytest.fixture
def meant(targeting, looked_up):
    """Return a function that returns the SRNs selected by a target."""

    def minion_of(id, *, greedy=True):
        looked_up.append(id)
        if id == "gw2":
            return None
        return MinionView(id, {"os": "gateway"}, PILLAR)

    def find(tgt, tgt_type="glob", greedy=True):
        part = parse_target(tgt, tgt_type, nodegroups={})
        found = targeting.matching(part, tgt, tgt_type, minion_of, greedy=greedy)
        return sorted(record.srn for record in found)

    return find


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "srns"),
    [
        ("d-1", "glob", ["dummy:d-1"]),
        ("dummy:d-1", "glob", ["dummy:d-1"]),
        ("d-9", "glob", []),
        ("gw1", "glob", []),
        ("nothing", "glob", []),
        ("d-*", "glob", ["dummy:d-1", "dummy:d-2"]),
        ("os:a", "grain", ["dummy:d-1", "thing:t-1"]),
        ("os:gateway", "grain", []),
        ("room:cellar", "pillar", ["dummy:d-1"]),
        ("room:attic", "pillar", ["dummy:d-2"]),
        ("site:north", "pillar", []),
        ("T@thing", "compound", ["thing:t-1"]),
        ("T@dummy and gw1", "compound", ["dummy:d-1", "dummy:d-2"]),
        ("T@dummy and not room", "compound", ["dummy:d-1", "dummy:d-2"]),
        ("T@nothing", "compound", []),
        ("dummy:d-2", "resource", ["dummy:d-2"]),
    ],
)
def test_a_target_means_resources_by_their_own_names_and_data(meant, tgt, tgt_type, srns):
    assert meant(tgt, tgt_type) == srns


def test_each_minion_is_looked_up_once(meant, looked_up):
    meant("os:a", "grain")

    assert sorted(looked_up) == ["gw1", "gw2", "revoked"]


def test_a_name_looks_no_minion_up_and_a_type_only_its_own(meant, looked_up):
    meant("d-1")
    assert looked_up == []

    meant("T@thing", "compound")
    assert looked_up == ["gw2"]


def test_a_name_of_two_types_is_an_error(registry, meant, targeting):
    registry.add(Record(Srn("thing", "d-1"), "gw2"))

    with pytest.raises(TargetError, match="'d-1' is the id of dummy:d-1 and thing:d-1"):
        meant("d-1")
    with pytest.raises(TargetError):
        targeting.listed(["d-1"])
    assert meant("thing:d-1") == ["thing:d-1"]


def test_a_list_finds_by_the_names_in_it(targeting):
    found = targeting.listed(["d-1", "dummy:d-2", "thing:t-1", "d-9", "gw1", ""])

    assert {name: record.srn for name, record in found.items()} == {
        "d-1": "dummy:d-1",
        "dummy:d-2": "dummy:d-2",
        "thing:t-1": "thing:t-1",
    }


def test_settings_of_the_minions_pillar_win_over_the_resources_own(registry, targeting):
    minion = MinionView("gw1", {}, {"resources": {"dummy": {"hosts": {"d-2": {"room": "hall", "x": 1}}}}})

    assert targeting.settings(registry.find("dummy:d-2"), minion) == {"room": "hall", "x": 1}
    assert targeting.settings(registry.find("dummy:d-2"), MinionView("gw1")) == {"room": "attic"}
    assert targeting.settings(registry.find("thing:t-1"), minion) == {}


@pytest.mark.parametrize("below", [None, [], {"dummy": ["d-1"]}, {"dummy": {"hosts": ["d-1"]}}])
def test_pillar_of_another_shape_has_no_settings(registry, targeting, below):
    minion = MinionView("gw1", {}, {"resources": below})

    assert targeting.settings(registry.find("dummy:d-1"), minion) == {}


def test_it_is_empty_without_resources(targeting):
    assert targeting.is_empty() is False
    assert ResourceTargeting(ResourceRegistry(), Keys(), pillar_key="r", own_pillars={}).is_empty() is True
