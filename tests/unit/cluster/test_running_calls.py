"""Calls recorded in the database, those without their master, and the retained results."""

from types import SimpleNamespace

import pytest

from salt_g.cluster.observed_beats import Member
from salt_g.cluster.running_calls import LeftCall, RunningCalls
from salt_g.cluster.sealing import Sealing
from salt_g.errors import RunTaken
from salt_g.wire.packing import pack_bus, unpack


class Store:
    """Store with the rows of one table."""

    def __init__(self):
        self.rows, self.publications = {}, []

    def write(self, operation, item, size=0):
        result = getattr(self, operation.name.replace(" ", "_"))(item)
        return SimpleNamespace(result=lambda: result)

    def note_a_call(self, item):
        self.rows[item[0]] = item[1]

    def forget_a_call(self, name):
        self.rows.pop(name, None)

    def take_a_call(self, names):
        body = self.rows.pop(names[0], None)
        return body is not None and self.rows.update({names[1]: body}) is None

    def keep_a_step(self, step):
        if step.name in self.rows and step.key:
            self.rows[step.key] = step.body
        return step.name in self.rows

    def read(self, sql, values=("", "~")):
        if "publications" in sql:
            return [row for row in reversed(self.publications) if row[0] < values[0]]
        if sql.startswith("SELECT body"):
            return [(self.rows[values[0]],)]
        if sql.startswith("SELECT name FROM"):
            return [(name,) for name in sorted(self.rows) if name.startswith("call/")]
        return sorted(row for row in self.rows.items() if row[0].startswith(values[0]))


@pytest.fixture(scope="module")
def sealing(master_key):
    return Sealing(master_key)


def of(store, id, *, epoch=1, others=(), live=(), sealing=None):
    membership = SimpleNamespace(
        id=id,
        member=Member(id, 0, epoch, 0),
        others={one.id: one for one in others},
        live=lambda: frozenset(live),
        refresh=lambda: None,
        sealing=sealing,
    )
    return RunningCalls(store, membership)


def test_a_call_is_left_when_its_master_ended_or_started_again():
    store = Store()
    for id, epoch in (("a", 1), ("b", 1), ("c", 1), ("d", 1)):
        of(store, id, epoch=epoch).begin("1", {"jid": "1", "of": id})
    members = [Member("b", 1, 1, 0), Member("c", 2, 2, 0), Member("d", 3, 1, 0)]

    found = of(store, "a", others=members, live=["b", "c"]).left()

    assert [(one.master, one.about["of"]) for one in found] == [("c", "c"), ("d", "d")]


def test_an_own_call_of_an_earlier_start_is_left_until_it_is_dropped():
    store = Store()
    of(store, "a", epoch=1).begin("1", {"jid": "1"})
    calls = of(store, "a", epoch=2)
    calls.begin("2", {"jid": "2"})

    (left,) = calls.left()
    assert left.about == {"jid": "1"}
    assert calls.is_noted("1")
    calls.drop(left)
    assert not calls.is_noted("1")
    assert calls.left() == []
    calls.end("2")
    assert store.rows == {}


def test_a_call_is_resumed_by_the_master_that_takes_it_first(sealing):
    store = Store()
    of(store, "a", sealing=sealing).begin("1", {"jid": "1"}, {"fun": "state.orch"})
    b, c = (of(store, id, sealing=sealing) for id in "bc")
    (left,) = b.left()

    taken = b.take(left)

    assert (b.to_resume(left), taken.name, c.take(left)) == ({"fun": "state.orch"}, "call/b/1/1", None)
    assert c.left() == [LeftCall("call/b/1/1", "b", left.about)]


def test_steps_are_kept_for_the_next_master_and_no_longer_by_the_first(sealing):
    store = Store()
    a, b = (of(store, id, sealing=sealing) for id in "ab")
    a.begin("1", {"jid": "1"}, {})
    record = a.record("1")
    record.keep("step/x", {"result": True})
    record.inner("in").keep("y", 7)
    b.take(b.left()[0])

    resumed = b.record("1", is_resumed=True)

    assert (resumed.recall("step/x"), resumed.inner("in").recall("y")) == ({"result": True}, 7)
    with pytest.raises(RunTaken):
        record.keep("step/y", 1)
    resumed.check()


def test_a_call_sealed_by_no_master_of_the_cluster_is_neither_resumed_nor_recalled(sealing, caplog):
    store = Store()
    a = of(store, "a", sealing=sealing)
    a.begin("1", {"jid": "1"}, {"fun": "state.orch"})
    a.record("1").keep("one", 1)
    (about,) = (unpack(body) for name, body in store.rows.items() if name.startswith("call/"))
    moved = {**about, "jid": "2"}
    store.rows["call/c/1/2"] = pack_bus(moved)
    store.rows["step/1/two"] = store.rows["step/1/one"]

    (left,) = a.left()

    assert a.to_resume(left) is None
    assert a.record("1", is_resumed=True).recall_all("") == [1]
    assert a.to_resume(LeftCall("x", "c", {"jid": "3"})) is None
    assert caplog.text.count("no master of this cluster recorded") == 2


def test_the_minions_of_a_job_are_read_from_the_publications(sealing):
    store = Store()
    for serial, jid, ids in ((1, "1", ["a"]), (2, "2", ["b"]), (3, "1", ["c"])):
        store.publications.append((serial, sealing.seal_job(pack_bus({"jid": jid})), pack_bus(ids)))
    store.publications.append((4, b"forged", pack_bus(["d"])))

    assert of(store, "a", sealing=sealing).recipients("1", {"a", "b", "d"}) == {"a"}


def test_a_call_of_a_master_that_has_just_started_is_not_left():
    store = Store()
    of(store, "b", epoch=2).begin("1", {"jid": "1"})
    calls = of(store, "a", others=[Member("b", 1, 1, 0)], live=["b"])
    known = calls._membership
    known.refresh = lambda: known.others.update(b=Member("b", 1, 2, 0))

    assert calls.left() == []
