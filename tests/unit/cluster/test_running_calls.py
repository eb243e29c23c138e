"""Calls that are noted in the database, and which of them have lost their master."""

from types import SimpleNamespace

from salt_g.cluster.observed_beats import Member
from salt_g.cluster.running_calls import RunningCalls


class Store:
    """Store with the rows of one table."""

    def __init__(self):
        self.rows = {}

    def write(self, operation, item):
        if operation.name == "note a call":
            self.rows[item[0]] = item[1]
        else:
            self.rows.pop(item, None)
        return SimpleNamespace(result=lambda: None)

    def read(self, sql):
        return sorted(self.rows.items())


def of(store, id, *, epoch=1, others=(), live=()):
    membership = SimpleNamespace(
        id=id,
        member=Member(id, 0, epoch, 0),
        others={one.id: one for one in others},
        live=lambda: frozenset(live),
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
    calls.drop(left)
    assert calls.left() == []
    calls.end("2")
    assert store.rows == {}
