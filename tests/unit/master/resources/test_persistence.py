"""The registry in the store, and the events about its changes."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.resources import ResourceRow, ResourceTable
from salt_g.errors import StoreError
from salt_g.event.bus import Bus
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.persistence import RegistryChanges, RegistryPersistence, packed_size, shared
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.resource_model.srn import Srn


@pytest.fixture
def store(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield store


@pytest.fixture
def run(store):
    """Return a function that makes the registry of one run of a master, and its link to the store."""

    def make(bus=None, table=None):
        registry, leases = ResourceRegistry(), GrantedLeases(30.0)
        linked = RegistryPersistence(
            registry, leases, table or ResourceTable(store), bus or Bus(), clock=lambda: 5.0
        )
        return registry, leases, linked

    return make


@pytest.fixture
def settled(store):
    """Wait until the store has written everything queued so far."""

    def wait():
        for future in ResourceTable(store).put([ResourceRow("other:x", "m", (), True, 1.0)]):
            future.result(30)
        for future in ResourceTable(store).drop(["other:x"]):
            future.result(30)

    return wait


def put(changes, id, minion="gw1", standby=(), act="added", source=""):
    record = Record(Srn("dummy", id), minion, standby)
    changes.put(act, record, source)
    return record


def test_the_next_run_begins_with_what_was_written(run, settled):
    _, leases, linked = run()
    leases.restart(["gw1"])
    leases.set_unlimited("stock")
    changes = RegistryChanges()
    put(changes, "d-1", "gw1", ("gw2", "gw3"))
    put(changes, "d-2", "stock")
    changes.grains["dummy:d-1"], _ = packed_size({"os": "none", "n": 5})
    linked.write(changes)
    settled()

    registry, leases, linked = run()
    linked.read()

    assert {r.srn: (r.minion, r.standby, dict(r.grains)) for r in registry} == {
        "dummy:d-1": ("gw1", ("gw2", "gw3"), {"os": "none", "n": 5}),
        "dummy:d-2": ("stock", (), {}),
    }
    assert (leases.takes_leases("gw1"), leases.is_living("gw1")) == (True, True)
    assert (leases.takes_leases("stock"), leases.is_living("stock")) == (False, True)


def test_a_dropped_resource_is_removed_with_its_grains(run, settled, store):
    _, _, linked = run()
    changes = RegistryChanges()
    record = put(changes, "d-1")
    changes.grains["dummy:d-1"], _ = packed_size({"a": 1})
    linked.write(changes)
    changes = RegistryChanges()
    changes.drop(record)
    linked.write(changes)
    settled()

    assert list(ResourceTable(store).rows()) == list(ResourceTable(store).grains()) == []


def test_more_than_one_slice_is_written_whole(run, settled, store):
    _, _, linked = run()
    changes = RegistryChanges()
    for number in range(1201):
        put(changes, f"d-{number}", act="")
    linked.write(changes)
    settled()

    assert len(list(ResourceTable(store).rows())) == 1201


def test_events_announce_changes_but_not_standby_lists(run):
    bus = Bus()
    events = bus.subscribe("salt/resource/", name="test")
    _, _, linked = run(bus)
    changes = RegistryChanges()
    record = put(changes, "d-1")
    put(changes, "d-2", "gw2", act="moved", source="gw1")
    put(changes, "d-3", act="")
    changes.drop(record)

    linked.write(changes)

    assert [(e.tag, e.data.get("minion"), e.data.get("from")) for e in iter(events.take, None)] == [
        ("salt/resource/dummy:d-1/added", "gw1", None),
        ("salt/resource/dummy:d-2/moved", "gw2", "gw1"),
        ("salt/resource/dummy:d-1/removed", "gw1", None),
    ]


def test_the_last_change_of_a_resource_is_what_counts():
    changes = RegistryChanges()
    record = put(changes, "d-1")
    changes.drop(record)
    assert (changes.changed, list(changes.gone)) == ({}, ["dummy:d-1"])

    changes.put("added", record)
    assert (list(changes.changed), changes.gone) == (["dummy:d-1"], {})


def test_an_unreadable_row_is_skipped(run, store, caplog):
    for future in ResourceTable(store).put(
        [ResourceRow("no srn", "gw1", (), True, 1.0), ResourceRow("dummy:d-1", "gw1", (), True, 1.0)]
    ):
        future.result(30)
    registry, _, linked = run()

    linked.read()

    assert [record.srn for record in registry] == ["dummy:d-1"]
    assert "skipped an unreadable saved resource" in caplog.text


def test_a_store_that_fails_costs_neither_the_start_nor_the_events(run, caplog):
    class Broken:
        """Table of a store that cannot be read or written."""

        def rows(self):
            raise StoreError("store.db", "disk I/O error")

        def put(self, rows):
            raise StoreError("store.db", "disk full")

    bus = Bus()
    events = bus.subscribe("salt/resource/", name="test")
    _, _, linked = run(bus, Broken())
    changes = RegistryChanges()
    put(changes, "d-1")

    linked.read()
    linked.write(changes)

    assert "minions will register them again" in caplog.text
    assert "cannot save 1 changes of resources" in caplog.text
    assert len(events) == 1


def test_grains_of_many_resources_share_their_texts():
    texts = ["".join(("so", "me")) for _ in range(2)]
    grains = [{"os": text, "long": "x" * 65, "id": f"d-{text}", 5: [text]} for text in texts]
    one, two = (shared(each, "d-some") for each in grains)

    assert one == two == {"os": "some", "long": "x" * 65, "id": "d-some", 5: ["some"]}
    assert one["os"] is two["os"]


def test_the_size_of_grains_is_that_of_their_packed_form():
    data, size = packed_size({"a": "ü" * 10})

    assert size == len(data) > 20
