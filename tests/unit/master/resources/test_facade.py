"""Answers about resources for runners and other parts of the master."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.resources import ResourceTable
from salt_g.errors import TargetError
from salt_g.event.bus import Bus
from salt_g.master.resources.facade import SHORTEST_LEASE, Resources
from salt_g.master.resources.registry import Record
from salt_g.master.settings import MasterResourceSettings
from salt_g.resource_model.srn import Srn
from salt_g.wire.requests import SealedRequest

OPTS = {
    "id": "main",
    "nodegroups": {},
    "minion_data_cache": True,
    "minion_data_cache_events": False,
    "resource_lease": 30,
    "resource_managers": "one",
    "resource_acl": {},
    "resource_pillar_key": "resources",
    "resources_max_per_minion": 5,
}
PILLAR = {"resources": {"dummy": {"resource_ids": ["d-1", "d-2"]}}}


class Keys:
    """Key files with these ids."""

    def known(self):
        return frozenset(("gw1", "gw2"))

    accepted = known


@pytest.fixture
def start(tmp_path):
    """Yield a function that starts the resources of a master with these settings, over the same store."""
    stores = []

    def make(**opts):
        while stores:
            stores.pop().stop()
        stores.append(EmbeddedStore(str(tmp_path)))
        stores[-1].start()
        resources = Resources(
            MasterResourceSettings.of({**OPTS, **opts}),
            keys=Keys(),
            table=ResourceTable(stores[-1]),
            bus=Bus(),
            compiling=None,
            known=lambda id: ({}, PILLAR),
        )
        resources.start()
        return resources

    yield make
    for store in stores:
        store.stop()


@pytest.fixture
def resources(start):
    """Return resources: gw1 manages d-1 and d-2, gw2 is on standby for d-1."""
    resources = start()
    register(resources, "gw1", ["d-1", "d-2"], {"dummy:d-1": {"os": "a"}})
    register(resources, "gw2", ["d-1"])
    return resources


def register(resources, id, ids, grains=None):
    request = SealedRequest(id, {}, "", None, "", "", 3)
    load = {"resources": {"dummy": ids}, "resource_grains": grains, "leases": True}
    return resources.registration.commands()["_register_resources"].run(request, load)


def test_resources_are_listed_by_type_and_minion(resources):
    resources.registry.add(Record(Srn("a-thing", "t-1"), "gw2"))

    assert list(resources.list()) == ["a-thing:t-1", "dummy:d-1", "dummy:d-2"]
    assert list(resources.list("dummy")) == ["dummy:d-1", "dummy:d-2"]
    assert resources.list("dummy", "gw2") == resources.list("no") == {}
    assert list(resources.list(minion="gw2")) == ["a-thing:t-1"]


def test_one_is_shown_with_its_grains_by_either_name(resources):
    shown = resources.show("d-1")

    assert shown == resources.show("dummy:d-1")
    assert (shown["srn"], shown["minion"], shown["grains"]) == ("dummy:d-1", "gw1", {"os": "a"})
    with pytest.raises(TargetError, match="no resource is registered as 'gw1'"):
        resources.show("gw1")


def test_names_that_are_not_resources_stay_as_they_are(resources):
    resources.registry.add(Record(Srn("thing", "d-2"), "gw2"))

    # An id of two types means neither.
    assert resources.minions_of(["d-1", "dummy:d-2", "d-2", "m1"]) == {
        "d-1": "gw1",
        "dummy:d-2": "gw1",
        "d-2": "d-2",
        "m1": "m1",
    }


def test_grains_are_reported_those_that_have_some(resources):
    assert resources.grains() == {"dummy:d-1": {"os": "a"}}


def test_each_minion_has_what_it_holds_waits_for_and_may_not_have(resources):
    register(resources, "gw2", ["d-1", "d-7"])

    owners = resources.owners()

    assert owners["gw1"] == {"dummy": ["d-1", "d-2"]}
    assert owners["gw2"]["standby"] == ["dummy:d-1"]
    assert list(owners["gw2"]["refused"]) == ["dummy:d-7"]


def test_registrations_are_counted_by_minion(resources):
    assert [resources.times_registered(id) for id in ("gw1", "gw2", "m1")] == [1, 1, 0]
    register(resources, "gw1", ["d-1", "d-2"])
    assert resources.times_registered("gw1") == 2


def test_a_restart_knows_what_was_registered(resources, start):
    before = set(resources.list())

    assert set(start().list()) == before == {"dummy:d-1", "dummy:d-2"}


@pytest.mark.parametrize(("length", "used"), [(30, 30), (0.1, SHORTEST_LEASE), (0, SHORTEST_LEASE)])
def test_a_lease_is_long_enough_to_be_renewed(start, length, used):
    assert start(resource_lease=length).leases.length == used


def test_an_unknown_kind_of_managers_is_logged(start, caplog):
    start(resource_managers="two")

    assert "resource_managers is 'two'; use `one` or `all`" in caplog.text
