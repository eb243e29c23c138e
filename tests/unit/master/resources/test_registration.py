"""Registration of resources: permitted entries and their later holders."""

import dataclasses

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.resources import ResourceTable
from salt_g.errors import WireError
from salt_g.event.bus import Bus
from salt_g.master.resources.facade import Resources
from salt_g.master.settings import MasterResourceSettings
from salt_g.wire.requests import SealedRequest

OPTS = {
    "id": "main",
    "nodegroups": {"webs": "L@m1"},
    "minion_data_cache": True,
    "minion_data_cache_events": False,
    "resource_lease": 30,
    "resource_managers": "one",
    "resource_acl": {"gw*": ["thing:*"]},
    "resource_pillar_key": "resources",
    "resources_max_per_minion": 5,
}


class FakeKeys:
    def __init__(self):
        self.ids = frozenset(("gw1", "gw2", "pending"))

    def known(self):
        return self.ids

    def accepted(self):
        return self.ids


@dataclasses.dataclass
class World:
    """One master's resources, with a manual clock and pillar from the test."""

    resources: Resources
    pillar: dict
    events: object
    store: EmbeddedStore
    now: float = 1000.0

    def register(self, id, resources, grains=None, **more):
        load = {"resources": resources, "resource_grains": grains, **more}
        return self.resources.registration.register(_request(id), load)

    def renew(self, id):
        return self.resources.registration.renew(_request(id), {})

    def fired_events(self):
        found = []
        while (event := self.events.get(0)) is not None:
            found.append((event.tag, event.data.get("minion")))
        return found

    def managers(self):
        return {record.srn: record.managers for record in self.resources.registry}


def _request(id):
    return SealedRequest(id, {}, "", None, "", "", 3)


def _world(path, pillar, **opts):
    store = EmbeddedStore(str(path))
    store.start()
    bus = Bus()
    resources = Resources(
        MasterResourceSettings.of({**OPTS, **opts}),
        keys=FakeKeys(),
        table=ResourceTable(store),
        bus=bus,
        compiling=None,
        known=lambda id: ({}, {"resources": pillar.get(id, {})}),
    )
    world = World(resources, pillar, bus.subscribe("salt/resource", name="test"), store)
    resources.leases._clock = lambda: world.now
    resources.start()
    return world


@pytest.fixture
def start(tmp_path):
    """Yield a function that starts the registration: `start(pillar, **opts)`.

    The store is the same each time.
    """
    worlds = []

    def begin(pillar, **opts):
        for world in worlds:
            world.store.stop()
        worlds.append(_world(tmp_path, pillar, **opts))
        return worlds[-1]

    yield begin
    for world in worlds:
        world.store.stop()


DUMMY = {"dummy": {"resource_ids": ["d-01", "d-02"]}}


def test_resources_of_pillar_are_registered_and_unnamed_ones_dropped(start):
    world = start({"gw1": DUMMY})

    assert world.register("gw1", {"dummy": ["d-01", "d-02"]}, {"dummy:d-01": {"a": 1}}) is True
    assert world.resources.grains() == {"dummy:d-01": {"a": 1}}
    assert world.register("gw1", {"dummy": ["d-02"]}) is True

    assert world.managers() == {"dummy:d-02": ("gw1",)}
    assert world.fired_events() == [
        ("salt/resource/dummy:d-01/added", "gw1"),
        ("salt/resource/dummy:d-02/added", "gw1"),
        ("salt/resource/dummy:d-01/removed", "gw1"),
    ]


def test_a_minion_that_takes_leases_learns_which_resources_it_holds(start):
    world = start({"gw1": DUMMY})

    answer = world.register("gw1", {"dummy": ["d-01", "other"]}, leases=True)

    assert answer["leases"] == {"dummy:d-01": 30.0}
    assert answer["standby"] == []
    assert "resource_acl" in answer["refused"]["dummy:other"]


@pytest.mark.parametrize(
    ("kind", "id", "reason"),
    [
        ("dummy", "gw2", "id of a minion"),
        ("dummy", "pending", "id of a minion"),
        ("dummy", "main", "name of the master"),
        ("dummy", "webs", "nodegroup"),
        ("dummy", "a\nb", "cannot be the id"),
        ("dummy", "we ird", "cannot be the id"),
        ("dummy", None, "cannot be the id"),
        ("dummy", [], "cannot be the id"),
        ("Du mmy", "x", "is not a resource type"),
        ("dummy", "foreign", "neither the minion's pillar"),
    ],
)
def test_an_entry_that_may_not_be_had_is_refused_for_itself(start, kind, id, reason):
    settings = {"dummy": {"resource_ids": ["d-01", "gw2", "pending", "main", "webs", "a\nb", "we ird"]}}
    world = start({"gw1": settings})

    answer = world.register("gw1", {kind: [id], "thing": ["t-1"]}, leases=True)

    assert list(answer["leases"]) == ["thing:t-1"]
    assert reason in next(iter(answer["refused"].values()))
    assert ("salt/resource/refused", "gw1") in world.fired_events()


def test_more_than_the_limit_is_refused_without_being_looked_at(start):
    world = start({})

    answer = world.register("gw1", {"thing": [f"t-{number}" for number in range(1_000_000)]}, leases=True)

    assert len(answer["leases"]) == 5
    assert answer["refused"] == {"*": "999995 more than resources_max_per_minion (5)"}


def test_settings_of_a_type_are_read_in_three_shapes(start):
    world = start(
        {"gw1": {"a": ["x", 42], "b": {"resource_ids": ["y"]}, "c": {"hosts": {"z": {"host": "h"}}}}}
    )

    world.register("gw1", {"a": ["x", "42"], "b": ["y"], "c": ["z"]})

    assert sorted(world.managers()) == ["a:42", "a:x", "b:y", "c:z"]


def test_another_minions_resource_is_not_taken_while_it_holds_it(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]}, leases=True)

    answer = world.register("gw2", {"dummy": ["d-01"]}, leases=True)

    assert (answer["leases"], answer["standby"]) == ({}, ["dummy:d-01"])
    world.now += 29
    assert world.renew("gw2")["leases"] == {}
    world.now += 2
    assert world.renew("gw2")["leases"] == {"dummy:d-01": 30.0}
    assert world.renew("gw1")["standby"] == ["dummy:d-01"]
    assert world.managers() == {"dummy:d-01": ("gw2", "gw1")}
    assert ("salt/resource/dummy:d-01/moved", "gw2") in world.fired_events()


def test_a_standby_gets_what_the_holder_drops(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    for id in ("gw1", "gw2"):
        world.register(id, {"dummy": ["d-01"]}, leases=True)

    world.register("gw1", {}, leases=True)

    assert world.managers() == {"dummy:d-01": ("gw2",)}


def test_minions_on_standby_are_notified_once_when_a_resource_is_free(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    for id in ("gw1", "gw2"):
        world.register(id, {"dummy": ["d-01"]}, leases=True)
    heirs = world.resources.takeover_notice.heirs

    assert heirs() == []
    world.now += 20
    world.renew("gw2")
    world.now += 11
    assert heirs() == ["gw2"]
    assert heirs() == []
    world.renew("gw2")
    world.register("gw1", {"dummy": ["d-01"]}, leases=True)
    world.register("gw2", {}, leases=True)
    assert heirs() == ["gw1"]


def test_resources_of_a_revoked_minion_wait_until_its_lease_ends(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    for id in ("gw1", "gw2"):
        world.register(id, {"dummy": ["d-01"]}, leases=True)

    world.resources.registration.forget("gw1")

    answer = world.renew("gw2")
    assert (answer["leases"], answer["standby"]) == ({}, ["dummy:d-01"])
    # One that comes anew waits, too.
    assert world.register("gw2", {"dummy": ["d-01", "d-02"]}, leases=True)["leases"] == {"dummy:d-02": 30.0}
    world.now += 29
    world.renew("gw2")
    assert world.resources.takeover_notice.heirs() == []
    world.now += 2
    assert world.resources.takeover_notice.heirs() == ["gw2"]
    assert world.renew("gw2")["leases"].keys() == {"dummy:d-01", "dummy:d-02"}


def test_a_minion_without_leases_keeps_what_pillar_gives_it(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]})

    world.register("gw2", {"dummy": ["d-01"]})

    assert world.managers() == {"dummy:d-01": ("gw1",)}
    assert world.resources.owners()["gw2"] == {"refused": {"dummy:d-01": "gw1 manages it"}}


def test_a_resource_that_pillar_moves_goes_to_the_other_minion(start):
    world = start({"gw1": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]})
    world.pillar.update(gw1={}, gw2=DUMMY)

    world.register("gw2", {"dummy": ["d-01"]})

    assert world.managers() == {"dummy:d-01": ("gw2",)}


def test_a_minion_that_lost_the_right_to_a_resource_does_not_take_it_over(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    for id in ("gw1", "gw2"):
        world.register(id, {"dummy": ["d-01"]}, leases=True)
    world.pillar["gw2"] = {}
    world.now += 31

    assert world.renew("gw2")["leases"] == {}


def test_all_managers_hold_where_all_of_them_execute(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY}, resource_managers="all")

    for id in ("gw1", "gw2"):
        answer = world.register(id, {"dummy": ["d-01"]}, leases=True)
        assert answer["leases"].keys() == {"dummy:d-01"}
        assert answer["standby"] == []


def test_a_deleted_key_drops_its_resources(start):
    world = start({"gw1": DUMMY})
    world.register("gw1", {"dummy": ["d-01", "d-02"]})

    world.resources.registration.forget("gw1")

    assert world.managers() == {}


def test_a_restart_knows_resources_grains_and_that_leases_may_be_alive(start):
    pillar = {"gw1": DUMMY, "gw2": DUMMY}
    world = start(pillar)
    world.register("gw1", {"dummy": ["d-01"]}, {"dummy:d-01": {"a": "b"}}, leases=True)
    world.register("gw2", {"dummy": ["d-01", "d-02"]}, leases=True)

    again = start(pillar)

    assert again.managers() == {"dummy:d-01": ("gw1", "gw2"), "dummy:d-02": ("gw2",)}
    assert again.resources.grains() == {"dummy:d-01": {"a": "b"}}
    assert again.renew("gw2")["leases"].keys() == {"dummy:d-02"}


def test_an_unchanged_registration_writes_nothing(start, monkeypatch):
    world = start({"gw1": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]}, {"dummy:d-01": {"a": "b", "l": [1, {"x": "y"}]}}, leases=True)
    written = []
    monkeypatch.setattr(world.store, "write", lambda *write: written.append(write))

    world.register("gw1", {"dummy": ["d-01"]}, {"dummy:d-01": {"a": "b", "l": [1, {"x": "y"}]}}, leases=True)
    world.renew("gw1")

    assert written == []


def test_grains_of_others_and_grains_that_are_too_large_are_not_kept(start):
    world = start({"gw1": DUMMY})

    world.register("gw1", {"dummy": ["d-01"]}, {"dummy:d-02": {"a": 1}, "dummy:d-01": {"a": "x" * 70_000}})

    assert world.resources.grains() == {}


def test_errors_of_a_resource_are_reported_by_its_minion(start):
    world = start({"gw1": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]}, leases=True, trouble={"dummy:d-01": "grains: no route"})

    assert world.resources.show("d-01")["error"] == "grains: no route"
    world.renew("gw1")
    assert "error" not in world.resources.show("dummy:d-01")


def test_no_new_minion_may_come_under_the_id_of_a_resource(start):
    world = start({"gw1": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]})

    assert "dummy:d-01 of gw1" in world.resources.registration.why_reserved("d-01")
    assert world.resources.registration.why_reserved("gw3") == ""


def test_a_return_is_of_a_resource_when_its_sender_manages_it(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]}, leases=True)
    load = {"id": "gw1", "jid": "20260101000000000000", "resource_id": "d-01", "return": True}
    own = {"jid": "20260101000000000000", "return": True, "minion": "gw1", "srn": "dummy:d-01"}

    def remapped(load):
        return list(world.resources.remapping.remapped(load))

    # As the job calls it: by its id, or by its name where the id is another's too.
    assert remapped(load) == [{**own, "id": "d-01"}, {**own, "id": "dummy:d-01"}]
    assert remapped({**load, "resource_id": "dummy:d-01"}) == remapped(load)
    assert remapped({**load, "id": "gw2"}) == []
    assert remapped({**load, "resource_id": "gw2"}) == []


def test_a_job_from_before_a_move_may_be_answered_by_the_former_owner(start):
    world = start({"gw1": DUMMY, "gw2": DUMMY})
    for id in ("gw1", "gw2"):
        world.register(id, {"dummy": ["d-01"]}, leases=True)
    world.now += 31
    world.renew("gw2")
    load = {"id": "gw1", "resource_id": "d-01", "return": True}

    assert any(world.resources.remapping.remapped({**load, "jid": "20200101000000000000"}))
    assert not any(world.resources.remapping.remapped({**load, "jid": "99990101000000000000"}))


def test_the_errors_that_a_minion_reports_are_bounded_when_kept(start):
    world = start({"gw1": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]}, leases=True, trouble={"dummy:d-01": "x" * 5_000_000, "y": 5})

    kept = world.resources.registration.trouble["gw1"]

    assert len(world.resources.show("d-01")["error"]) == 1000
    assert sum(len(text) for text in kept.values()) < 2000


def test_nothing_is_left_of_a_minion_without_resources_that_is_gone(start):
    world = start({})
    registration = world.resources.registration
    world.register("gw1", {}, leases=True, trouble={"dummy:*": "no route"})

    registration.forget("gw1")

    assert (registration.trouble, dict(registration.times)) == ({}, {})
    assert not world.resources.leases.takes_leases("gw1")


def test_a_renewal_that_comes_after_the_key_is_gone_keeps_nothing(start):
    world = start({"gw1": DUMMY})
    world.register("gw1", {"dummy": ["d-01"]}, leases=True)
    world.resources.registration._keys.ids = frozenset(("gw2",))
    world.resources.registration.forget("gw1")

    with pytest.raises(WireError, match="revoked"):
        world.renew("gw1")

    assert not world.resources.leases.takes_leases("gw1")
