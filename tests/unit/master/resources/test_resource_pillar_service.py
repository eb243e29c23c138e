"""Access to the pillar of a resource, and the size of its cache."""

import pytest

from salt_g.master.resources import resource_pillar_service
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.resources.resource_pillar_service import ResourcePillarService
from salt_g.master.settings import MasterResourceSettings
from salt_g.pillar.top import TopTarget
from salt_g.resource_model.srn import Srn
from salt_g.wire.requests import SealedRequest

TOPS = {"base": {"T@dummy": TopTarget("T@dummy", "compound", ("x",), 0, False)}}


class Compiling:
    """Gives each resource its id as pillar; answers are not sealed."""

    def __init__(self):
        self.tops, self.errors, self.size = TOPS, [], 1

    def tops_of(self, id, grains, saltenv, pillarenv):
        return self.tops, self.errors

    def of_resource(self, resource, tops, saltenv, pillarenv):
        return {"me": resource.id * self.size}

    def sealed(self, request, value):
        return value


@pytest.fixture
def pillars_of():
    """Return a function that returns the answer: `pillars_of("m1", [srn])`.

    Its `.made`, `.compiling` and `.leases` may be inspected.
    """
    registry, leases, compiling = ResourceRegistry(), GrantedLeases(30.0), Compiling()
    for minion, id in (("m1", "d-01"), ("m1", "d-02"), ("m2", "e-01")):
        registry.add(Record(Srn("dummy", id), minion, ("m3",)))
    leases.renew("m1")
    settings = MasterResourceSettings(
        "master",
        nodegroups={},
        resource_managers="one",
        resource_lease=30.0,
        resource_acl=None,
        resources_max_per_minion=100,
        minion_data_cache=True,
        minion_data_cache_events=False,
        pillar_key="resources",
    )
    made = ResourcePillarService(settings, registry, leases, compiling=compiling, known=lambda id: ({}, {}))

    def ask(id, srns, **more):
        request = SealedRequest(id, {}, "", None, "", "", 3)
        return made.commands()["_resource_pillars"].run(request, {"resources": srns, **more})

    ask.made, ask.compiling, ask.leases = made, compiling, leases
    return ask


def test_only_the_holder_of_a_resource_gets_its_pillar(pillars_of):
    every = ["dummy:d-01", "dummy:e-01", "dummy:nope"]

    assert pillars_of("m1", every) == {"dummy:d-01": {"me": "d-01"}}
    assert pillars_of("m2", every) == {}
    assert pillars_of("m3", every) == {}


def test_without_a_lease_nothing_is_reported(pillars_of):
    pillars_of.leases.end("m1")

    assert pillars_of("m1", ["dummy:d-01"]) == {}


def test_pillar_is_kept_for_targets_until_nothing_names_the_resource(pillars_of):
    pillars_of("m1", ["dummy:d-01"])
    pillars_of("m1", ["dummy:d-02"], saltenv="dev")
    kept = dict(pillars_of.made.kept)
    pillars_of.compiling.tops = {}
    pillars_of("m1", ["dummy:d-01"])

    assert kept == {"dummy:d-01": {"me": "d-01"}}
    assert not pillars_of.made.kept


def test_a_pillar_that_is_too_large_is_not_reported_and_what_is_kept_is_bounded(pillars_of, monkeypatch):
    monkeypatch.setattr(resource_pillar_service, "MAX_SIZE", 100)
    monkeypatch.setattr(resource_pillar_service, "MAX_KEPT", 15)

    both = pillars_of("m1", ["dummy:d-01", "dummy:d-02"])
    pillars_of.compiling.size = 1000

    assert len(both) == 2
    assert list(pillars_of.made.kept) == ["dummy:d-02"]
    assert pillars_of("m1", ["dummy:d-01"]) == {}


def test_a_broken_top_file_gives_nothing(pillars_of):
    pillars_of.compiling.errors = ["Rendering Primary Top file failed"]

    assert pillars_of("m1", ["dummy:d-01"]) == {}
