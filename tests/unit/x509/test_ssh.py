"""OpenSSH's certificates: policies, plans, what differs."""

import pytest

from salt_g import x509
from salt_g.errors import InvocationError
from salt_g.x509 import ssh


@pytest.fixture(scope="module")
def key():
    return x509.keys.generate("ed25519")


@pytest.fixture(scope="module")
def issuer():
    return x509.keys.generate("ed25519")


def _plan(key, **arguments):
    return ssh.plans.plan(
        public_key=key.public_key(), **{"cert_type": "user", "valid_principals": ["root"], **arguments}
    )


def test_a_certificate_says_what_was_planned(key, issuer):
    plan = _plan(
        key,
        key_id="me",
        serial_number=42,
        extensions={"permit-pty": True, "permit-agent": False, "a@b": "c"},
        not_before="2026-01-01 00:00:00",
        ttl="1.5h",
        not_after="2026-01-01 10:00:00",
    )

    told = ssh.rendering.certificate(plan.sign(issuer))

    assert told["cert_type"] == "user"
    assert told["valid_principals"] == ["root"]
    assert told["serial_number"] == "2A"
    assert told["extensions"] == {"permit-pty": True, "a@b": "c"}
    assert (told["not_before"], told["not_after"]) == ("2026-01-01 00:00:00", "2026-01-01 10:00:00")
    assert told["issuer_public_key"] == ssh.rendering.public_key(issuer.public_key())


def test_nobody_gets_all_principals_by_saying_nothing(key):
    with pytest.raises(InvocationError, match="all_principals"):
        _plan(key, valid_principals=[])


def test_a_certificate_of_the_same_plan_can_stay(key, issuer):
    plan = _plan(key, key_id="me", critical_options={"force-command": "id"})

    changes = ssh.differences.of_certificate(plan.sign(issuer), plan, issuer.public_key())

    assert changes == {}


def test_differences_name_what_was_added_changed_and_removed(key, issuer):
    found = _plan(key, key_id="me", extensions={"a@b": "1", "c@d": "1"}).sign(issuer)
    wanted = _plan(
        issuer,
        key_id="you",
        cert_type="host",
        extensions={"a@b": "2", "e@f": "1"},
        valid_principals=["www"],
    )

    changes = ssh.differences.of_certificate(found, wanted, key.public_key())

    assert changes == {
        "private_key": True,
        "signing_private_key": True,
        "key_id": {"old": "me", "new": "you"},
        "cert_type": "host",
        "extensions": {"added": ["e@f"], "changed": ["a@b"], "removed": ["c@d"]},
        "principals": {"added": ["www"], "removed": ["root"]},
    }


def test_every_principal_is_reported_as_all(key, issuer):
    everybody = _plan(key, valid_principals=None, all_principals=True)
    one = _plan(key)

    widened = ssh.differences.of_certificate(one.sign(issuer), everybody, issuer.public_key())
    narrowed = ssh.differences.of_certificate(everybody.sign(issuer), one, issuer.public_key())

    assert widened == {"principals": {"added": "*ALL*", "removed": []}}
    assert narrowed == {"principals": {"added": ["root"], "removed": "*ALL*"}}


def test_a_policy_forces_options_and_bounds_what_may_be_asked_for():
    policy = [
        {"extensions": {"permit-pty": True}},
        {"default_extensions": {"a@b": "default", "c@d": "default"}},
        {"allowed_extensions": ["a@b", "permit-pty"]},
        {"cert_type": "host"},
    ]
    asked = {"extensions": {"a@b": "mine", "x@y": "mine", "permit-pty": False}, "cert_type": "user"}

    got = ssh.policies.enforced(policy, asked)

    assert got["extensions"] == {"a@b": "mine", "c@d": "default", "permit-pty": True}
    assert got["cert_type"] == "host"


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        ({}, ["www"]),
        ({"valid_principals": ["db", "evil"]}, ["db"]),
        ({"valid_principals": ["evil"], "all_principals": True}, ["www"]),
        ({"all_principals": True}, ["www", "db"]),
    ],
)
def test_principals_stay_within_those_of_the_policy(asked, got):
    policy = {"allowed_valid_principals": ["www", "db"], "default_valid_principals": ["www"]}

    arguments = ssh.policies.enforced(policy, asked)

    assert arguments["valid_principals"] == got
    assert arguments["all_principals"] is False


def test_a_policy_without_any_principal_gives_none():
    got = ssh.policies.enforced({"allowed_valid_principals": []}, {"all_principals": True})

    assert got["valid_principals"] == []
    assert got["all_principals"] is False


@pytest.mark.parametrize(
    ("policy", "asked", "span"),
    [
        ({"ttl": "1h"}, {}, 3600),
        ({"ttl": "1h"}, {"ttl": "30m"}, 1800),
        ({"ttl": "1h"}, {"ttl": "2h"}, 3600),
        ({"ttl": "1h", "max_ttl": "3h"}, {"ttl": "2h"}, 7200),
        ({"max_ttl": "1h"}, {"not_before": "2026-01-01 00:00:00", "not_after": "2027-01-01 00:00:00"}, 3600),
    ],
)
def test_nobody_gets_a_longer_time_than_the_policy_has(policy, asked, span):
    got = ssh.policies.enforced(policy, asked)

    begin, end = (x509.times.moment(got[name]) for name in ("not_before", "not_after"))
    assert (end - begin).total_seconds() == span


@pytest.mark.parametrize("span", ["1w", "", "h", "-1d"])
def test_a_span_that_makes_no_sense_is_refused(span):
    with pytest.raises(InvocationError, match="Invalid time string format"):
        ssh.times.seconds(span)


def test_a_malformed_private_key_is_reported(tmp_path):
    (tmp_path / "key").write_text("nonsense")

    with pytest.raises(x509.loading.Unreadable, match="Could not load OpenSSH private key"):
        ssh.loading.private_key(str(tmp_path / "key"))


def test_a_certificate_with_a_changed_byte_is_refused(key, issuer):
    line = bytearray(_plan(key).sign(issuer).public_bytes())
    line[-10] = ord("B") if line[-10] != ord("B") else ord("C")

    with pytest.raises(Exception, match="(?i)certificate"):
        ssh.loading.certificate(bytes(line))


def test_a_private_key_with_a_passphrase_is_opened_by_it_alone(key):
    text = ssh.rendering.private_key(key, "open sesame")

    opened = ssh.loading.private_key(text, "open sesame")

    assert opened.public_key() == key.public_key()
    with pytest.raises(InvocationError):
        ssh.loading.private_key(text, "close sesame")


def test_malformed_references_are_distinguished_from_broken_keys():
    with pytest.raises(InvocationError, match="You need to pass an existing file, string or raw bytes"):
        ssh.loading.private_key(3)
