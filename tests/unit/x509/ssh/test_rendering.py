"""Keys and certificates of OpenSSH as text and dicts."""

from salt_g.x509 import ssh


def test_a_certificate_says_what_was_planned(key, issuer, make_plan):
    plan = make_plan(
        key,
        key_id="me",
        serial_number=42,
        extensions={"permit-pty": True, "permit-agent": False, "a@b": "c"},
        not_before="2026-01-01 00:00:00",
        ttl="1.5h",
        not_after="2026-01-01 10:00:00",
    )

    result = ssh.rendering.certificate(plan.sign(issuer))

    assert result["cert_type"] == "user"
    assert result["valid_principals"] == ["root"]
    assert result["serial_number"] == "2A"
    assert result["extensions"] == {"permit-pty": True, "a@b": "c"}
    assert (result["not_before"], result["not_after"]) == ("2026-01-01 00:00:00", "2026-01-01 10:00:00")
    assert result["issuer_public_key"] == ssh.rendering.public_key(issuer.public_key())
