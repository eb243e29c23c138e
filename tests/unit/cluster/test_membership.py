"""A master among the others: who has to know a change before it counts."""

import pytest
from support.clocks import Clock

from salt_g.cluster import tables
from salt_g.cluster.membership import REFUSE, Membership
from salt_g.cluster.observed_beats import Member
from salt_g.errors import StoreError


class Store:
    """Store with members, and the answers to one question after the other about what they have read."""

    path = "db1"
    committed_at = 0.0

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


def test_jobs_are_taken_while_any_write_succeeds_and_refused_when_none_does():
    clock, store = Clock(100.0), Store([])
    membership = Membership(store, "a", None, clock=clock)
    clock.now, store.committed_at = 110.0, 109.0
    membership.check_jobs()

    clock.now = 109.1 + REFUSE
    with pytest.raises(StoreError, match="cannot be reached for 3 s; no job is taken until it can"):
        membership.check_jobs()


def test_a_write_does_not_stand_for_a_beat():
    clock, store = Clock(100.0), Store([])
    membership = Membership(store, "a", None, clock=clock)
    clock.now, store.committed_at = 110.0, 110.0

    with pytest.raises(StoreError, match="keys of minions may have changed"):
        membership.check_lease()
