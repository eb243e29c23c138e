"""Lifetime of leases on resources, with a manual clock."""

import pytest

from salt_g.master.resources.granted_leases import GrantedLeases


@pytest.fixture
def clock():
    return [1000.0]


@pytest.fixture
def leases(clock):
    return GrantedLeases(30.0, clock=lambda: clock[0])


def test_a_lease_lives_for_its_length_from_its_last_renewal(leases, clock):
    leases.renew("gw1")
    clock[0] += 20
    leases.renew("gw1")

    clock[0] += 29.9
    assert (leases.is_living("gw1"), leases.left("gw1")) == (True, pytest.approx(0.1))
    clock[0] += 0.1
    assert (leases.is_living("gw1"), leases.left("gw1")) == (False, 0.0)


def test_a_minion_that_never_asked_has_no_lease(leases):
    assert leases.is_living("gw1") is False
    assert leases.takes_leases("gw1") is False
    assert leases.left("gw1") == 0.0


def test_a_minion_without_leases_holds_without_end(leases, clock):
    leases.set_unlimited("stock")
    clock[0] += 10**9

    assert leases.is_living("stock") is True
    assert leases.takes_leases("stock") is False
    assert leases.left("stock") is None


def test_an_over_lease_is_still_one_of_a_minion_that_takes_leases(leases, clock):
    leases.renew("gw1")
    clock[0] += 100

    assert leases.takes_leases("gw1") is True


def test_the_end_that_is_noted_for_a_revoked_minion_passes(leases, clock):
    leases.renew("gw1")
    end = leases.end_of("gw1")
    leases.end("gw1")

    assert leases.is_living("gw1") is False
    assert leases.is_past(end) is False
    clock[0] += 30
    assert leases.is_past(end) is True


def test_after_a_restart_earlier_leases_count_anew(leases, clock):
    leases.restart(["gw1", "gw2"])

    clock[0] += 29
    assert leases.is_living("gw1") and leases.is_living("gw2")
