"""Plans of OpenSSH's certificates."""

import pytest

from salt_g.errors import InvocationError


def test_omitted_principals_do_not_mean_all(key, make_plan):
    with pytest.raises(InvocationError, match="all_principals"):
        make_plan(key, valid_principals=[])


def test_all_principals_must_be_requested_explicitly(key, make_plan):
    assert make_plan(key, valid_principals=None, all_principals=True).principals == []


def test_a_plan_gets_a_serial_number_of_its_own(key, make_plan):
    assert make_plan(key).serial != make_plan(key).serial
