"""Differences between certificates of OpenSSH and their plans."""

from salt_g.x509 import ssh


def test_a_certificate_of_the_same_plan_can_stay(key, issuer, make_plan):
    plan = make_plan(key, key_id="me", critical_options={"force-command": "id"})

    changes = ssh.differences.of_certificate(plan.sign(issuer), plan, issuer.public_key())

    assert changes == {}


def test_differences_name_what_was_added_changed_and_removed(key, issuer, make_plan):
    found = make_plan(key, key_id="me", extensions={"a@b": "1", "c@d": "1"}).sign(issuer)
    wanted = make_plan(
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


def test_every_principal_is_reported_as_all(key, issuer, make_plan):
    everybody = make_plan(key, valid_principals=None, all_principals=True)
    one = make_plan(key)

    widened = ssh.differences.of_certificate(one.sign(issuer), everybody, issuer.public_key())
    narrowed = ssh.differences.of_certificate(everybody.sign(issuer), one, issuer.public_key())

    assert widened == {"principals": {"added": "*ALL*", "removed": []}}
    assert narrowed == {"principals": {"added": ["root"], "removed": "*ALL*"}}
