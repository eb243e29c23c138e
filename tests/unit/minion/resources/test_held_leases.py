"""Leases of a minion, which every start requires."""

import math

from salt_g.minion.resources.held_leases import HeldLeases
from tests.support.clocks import Clock


def test_nothing_is_held_before_the_master_has_granted_it():
    assert not HeldLeases().is_held("dummy:a")


def test_a_master_without_leases_gives_all_for_good():
    leases = HeldLeases()

    leases.take(True, asked=leases.now())

    assert leases.is_held("dummy:a")
    assert leases.soonest() == math.inf


def test_a_lease_counts_from_before_it_was_asked_for():
    clock = Clock(100.0)
    leases = HeldLeases(clock=clock)

    sent_at = leases.now()
    clock.now += 4
    leases.take({"leases": {"dummy:a": 10}, "standby": ["dummy:b"], "refused": {}}, asked=sent_at)

    assert leases.left("dummy:a") == 6
    assert not leases.is_held("dummy:b")
    assert not leases.is_held("dummy:other")
    clock.now += 6
    assert not leases.is_held("dummy:a")


def test_a_refused_lease_is_not_held_and_an_empty_answer_grants_nothing():
    leases = HeldLeases()

    leases.take({"leases": {"dummy:a": 10}, "refused": {"dummy:a": "no"}}, asked=leases.now())
    refused = leases.is_held("dummy:a")
    leases.take({}, asked=leases.now())

    assert (refused, leases.is_held("dummy:a")) == (False, False)


def test_another_master_has_to_grant_it_anew():
    leases = HeldLeases()
    leases.take(True, asked=leases.now())

    leases.forget()

    assert not leases.is_held("dummy:a")
