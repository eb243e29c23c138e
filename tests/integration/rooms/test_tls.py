"""A small certificate authority in a directory, and the verdicts of OpenSSL's program on it."""

import stat
import subprocess

import pytest


@pytest.fixture
def authority(salt_g, need):
    need("openssl")
    salt_g.settings["ca.cert_base_path"] = str(salt_g.out)
    salt_g("tls.create_ca", "mine", "CN=My authority", "days=30", "emailAddress=me@example.org")
    return salt_g


def test_an_authority_signs_requests_and_revokes_certificates(authority):
    folder = authority.out / "mine"

    requested = authority("tls.create_csr", "mine", "CN=www.example.org", "subjectAltName=DNS:a.example.org")
    signed = authority("tls.create_ca_signed_cert", "mine", "CN=www.example.org")
    packed = authority("tls.create_pkcs12", "mine", "CN=www.example.org")

    base = folder / "certs" / "www.example.org"
    assert requested.value == (
        f'Created Private Key: "{folder}/certs/www.example.org.key"'
        f' Created CSR for "www.example.org": "{folder}/certs/www.example.org.csr"'
    )
    assert signed.value == f'Created Certificate for "www.example.org": "{base}.crt"'
    assert packed.value == f'Created PKCS#12 Certificate for "www.example.org": "{base}.p12"'
    finished = subprocess.run(
        ["openssl", "verify", "-CAfile", folder / "mine_ca_cert.crt", f"{base}.crt"],
        capture_output=True,
        text=True,
    )
    assert finished.stdout.endswith("www.example.org.crt: OK\n")
    assert {stat.S_IMODE((base.parent / f"{base.name}.{end}").stat().st_mode) for end in ("key", "p12")} == {
        0o600
    }
    assert authority("tls.validate", f"{base}.crt", "mine", "crl_file=None").value == {"valid": True}
    revoked = authority("tls.revoke_cert", "mine", "CN=www.example.org").value
    assert revoked.startswith(f'Revoked Certificate: "{base}.crt", serial number: ')
    assert authority("tls.validate", f"{base}.crt", "mine", f"crl_file={folder}/crl.pem").value == {
        "valid": False,
        "error": "certificate revoked",
    }
    assert "already revoked" in authority("tls.revoke_cert", "mine", "CN=www.example.org").value


def test_existing_files_are_kept(authority):
    folder = authority.out / "mine"
    before = (folder / "mine_ca_cert.key").read_bytes()

    again = authority("tls.create_ca", "mine")

    assert again.value == 'Certificate for CA named "mine" already exists'
    assert (folder / "mine_ca_cert.key").read_bytes() == before
    assert "does not exist, please create it first" in authority("tls.create_csr", "none").value
    assert authority("tls.create_ca_signed_cert", "mine", "CN=x").value["retcode"] == 1


def test_a_certificate_has_to_be_valid_long_enough(authority):
    path = f"{authority.out}/mine/mine_ca_cert.crt"

    info = authority("tls.cert_info", path).value
    (good,) = authority("state.single", "tls.valid_certificate", path, "weeks=3").value.values()
    (bad,) = authority("state.single", "tls.valid_certificate", path, "weeks=9").value.values()
    (missing,) = authority("state.single", "tls.valid_certificate", "/no/such.crt").value.values()

    assert info["subject"]["emailAddress"] == "me@example.org"
    assert info["not_after"] - info["not_before"] == 30 * 86400
    assert good["result"] is True
    assert bad["comment"].endswith("which is less than 63 days, 0:00:00")
    assert "No such file" in missing["comment"]
