"""Number of publish keys that revocations cause."""

import pytest

from salt_g.master.cluster.key_renewals import KeyRenewals
from tests.support.clocks import Clock


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def made():
    return []


@pytest.fixture
def renewals(clock):
    return KeyRenewals(clock)


def revoke(renewals, made, *, is_new=False):
    renewals.note(lambda: made.append(1), is_new=is_new)


def test_a_hundred_revocations_of_one_command_make_two_keys(renewals, made):
    for _ in range(100):
        revoke(renewals, made)
    assert len(made) == 1

    renewals.renew_pending()

    assert len(made) == 2


def test_each_command_makes_one(renewals, made):
    for _ in range(3):
        revoke(renewals, made)
        renewals.renew_pending()

    assert len(made) == 3


def test_a_key_that_the_last_revocation_has_made_counts_for_all(renewals, made):
    revoke(renewals, made)
    revoke(renewals, made)
    revoke(renewals, made, is_new=True)

    renewals.renew_pending()

    assert len(made) == 1


def test_a_command_that_does_not_end_owes_nothing_for_long(renewals, made, clock):
    revoke(renewals, made)
    clock.now = 5
    revoke(renewals, made)
    renewals.renew_overdue()
    assert len(made) == 1

    clock.now = 6.1
    renewals.renew_overdue()

    assert len(made) == 2
