"""Targets of a pillar top file that select a resource by itself."""

import pytest

from salt_g.match.matchers import MinionView, Resource
from salt_g.pillar.resource_top import own_pillar, tops_for
from salt_g.pillar.top import TopTarget

RESOURCE = Resource(
    "dummy", "d-01", MinionView("m1", {"os": "Debian"}, {"role": "edge"}), {"os": "Thing"}, {"rack": "a"}
)


def tops(tgt, tgt_type="compound"):
    return {"base": {tgt: TopTarget(tgt, tgt_type, ("x",), 0, False)}}


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "is_meant"),
    [
        ("d-01", "compound", True),
        ("d-*", "compound", True),
        ("d-*", "glob", True),
        ("dummy:d-01", "glob", True),
        ("T@dummy", "compound", True),
        ("T@dummy and M@m1", "compound", True),
        ("G@os:Thing", "compound", True),
        ("os:Thing", "grain", True),
        ("I@rack:a", "compound", True),
        ("*", "compound", False),
        ("*", "glob", False),
        ("m*", "compound", False),
        ("m1", "compound", False),
        ("T@ssh", "compound", False),
        ("G@os:Debian", "compound", False),
        ("I@role:edge", "compound", False),
        ("x", "nosuch", False),
    ],
)
def test_targets_for_a_resource_and_not_only_its_minion_select_it(tgt, tgt_type, is_meant):
    assert bool(tops_for(tops(tgt, tgt_type), RESOURCE)) is is_meant


def test_nothing_is_compiled_for_unnamed_minions():
    compiled = []

    own = own_pillar(tops("*"), RESOURCE, lambda resource, named: compiled.append(resource) or {})

    assert (own, compiled) == ({}, [])
