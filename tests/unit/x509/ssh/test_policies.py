"""Policies for certificates of OpenSSH."""

import pytest

from salt_g import x509
from salt_g.x509 import ssh


def test_a_policy_forces_options_and_bounds_what_may_be_asked_for():
    policy = [
        {"extensions": {"permit-pty": True}},
        {"default_extensions": {"a@b": "default", "c@d": "default"}},
        {"allowed_extensions": ["a@b", "permit-pty"]},
        {"cert_type": "host"},
    ]
    requested = {"extensions": {"a@b": "mine", "x@y": "mine", "permit-pty": False}, "cert_type": "user"}

    got = ssh.policies.enforced(policy, requested)

    assert got["extensions"] == {"a@b": "mine", "c@d": "default", "permit-pty": True}
    assert got["cert_type"] == "host"


@pytest.mark.parametrize(
    ("requested", "got"),
    [
        ({}, ["www"]),
        ({"valid_principals": ["db", "evil"]}, ["db"]),
        ({"valid_principals": ["evil"], "all_principals": True}, ["www"]),
        ({"all_principals": True}, ["www", "db"]),
    ],
)
def test_principals_stay_within_those_of_the_policy(requested, got):
    policy = {"allowed_valid_principals": ["www", "db"], "default_valid_principals": ["www"]}

    arguments = ssh.policies.enforced(policy, requested)

    assert arguments["valid_principals"] == got
    assert arguments["all_principals"] is False


def test_a_policy_without_any_principal_gives_none():
    got = ssh.policies.enforced({"allowed_valid_principals": []}, {"all_principals": True})

    assert got["valid_principals"] == []
    assert got["all_principals"] is False


@pytest.mark.parametrize(
    ("policy", "requested", "span"),
    [
        ({"ttl": "1h"}, {}, 3600),
        ({"ttl": "1h"}, {"ttl": "30m"}, 1800),
        ({"ttl": "1h"}, {"ttl": "2h"}, 3600),
        ({"ttl": "1h", "max_ttl": "3h"}, {"ttl": "2h"}, 7200),
        ({"max_ttl": "1h"}, {"not_before": "2026-01-01 00:00:00", "not_after": "2027-01-01 00:00:00"}, 3600),
    ],
)
def test_no_certificate_lasts_longer_than_the_policy_permits(policy, requested, span):
    got = ssh.policies.enforced(policy, requested)

    begin, end = (x509.times.moment(got[name]) for name in ("not_before", "not_after"))
    assert (end - begin).total_seconds() == span
