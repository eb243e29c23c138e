"""A master among the others: who has to know a change before it counts."""

from salt_g.cluster import tables
from salt_g.cluster.membership import Membership
from salt_g.cluster.observed_beats import Member


class Store:
    """Store with members, and the answers to one question after the other about what they have read."""

    path = "db1"

    def __init__(self, members, *positions):
        self.members, self.positions = members, list(positions)

    def read(self, sql, values=()):
        if sql == tables.MEMBERS:
            return self.members
        assert sql == tables.POSITIONS
        return self.positions.pop(0)


def test_a_change_waits_for_a_master_that_has_joined_a_moment_ago():
    store = Store([Member("a", 0, 1, 5), Member("b", 1, 2, 0)], [], [("b", 6)], [("b", 7)])

    Membership(store, "a", None).wait_until_read(7)

    assert store.positions == []


def test_a_change_does_not_wait_for_a_master_that_left():
    store = Store([Member("a", 0, 1, 5)], [("gone", 1)])

    Membership(store, "a", None).wait_until_read(7)

    assert store.positions == []
