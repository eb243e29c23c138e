"""Plans of OpenSSH's certificates."""

import pytest

from salt_g.errors import InvocationError


def test_nobody_gets_all_principals_by_saying_nothing(key, make_plan):
    with pytest.raises(InvocationError, match="all_principals"):
        make_plan(key, valid_principals=[])


def test_a_certificate_for_all_principals_is_asked_for_in_words(key, make_plan):
    assert make_plan(key, valid_principals=None, all_principals=True).principals == []


def test_a_plan_gets_a_serial_number_of_its_own(key, make_plan):
    assert make_plan(key).serial != make_plan(key).serial
