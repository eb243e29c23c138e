"""Certificates that OpenSSL's program parses and trusts."""

import os
import stat
import subprocess

import pytest

TREE = """
{out}/ca.key:
  x509.private_key_managed:
    - bits: 2048
{out}/ca.crt:
  x509.certificate_managed:
    - signing_private_key: {out}/ca.key
    - CN: ca.example.org
    - C: DE
    - basicConstraints: "critical CA:true"
    - keyUsage: "critical cRLSign, keyCertSign"
    - subjectKeyIdentifier: hash
    - days_valid: 3650
{out}/www.key:
  x509.private_key_managed:
    - algo: ec
{out}/www.csr:
  x509.csr_managed:
    - private_key: {out}/www.key
    - CN: www.example.org
    - subjectAltName: "DNS:www.example.org, IP:10.0.0.1"
{out}/www.crt:
  x509.certificate_managed:
    - csr: {out}/www.csr
    - signing_policy: www
    - CN: www.example.org
    - append_certs: [{out}/ca.crt]
    - days_remaining: 30
{out}/www.p12:
  x509.certificate_managed:
    - encoding: pkcs12
    - private_key: {out}/www.key
    - signing_policy: www
    - CN: www.example.org
    - pkcs12_passphrase: secret
    - pkcs12_friendlyname: web
    - days_remaining: 30
{out}/ca.crl:
  x509.crl_managed:
    - signing_private_key: {out}/ca.key
    - signing_cert: {out}/ca.crt
    - revoked:
      - certificate: {out}/www.crt
        extensions: {{CRLReason: keyCompromise}}
    - extensions: {{cRLNumber: auto}}
"""


@pytest.fixture
def authority(salt_g, need):
    need("openssl")
    salt_g.write({"pki.sls": TREE.format(out=salt_g.out)})
    salt_g.settings["x509_signing_policies"] = {
        "www": [
            {"signing_private_key": str(salt_g.out / "ca.key")},
            {"signing_cert": str(salt_g.out / "ca.crt")},
            {"O": "Example"},
            {"keyUsage": "critical digitalSignature, keyEncipherment"},
            {"authorityKeyIdentifier": "keyid:always"},
            {"days_valid": 100},
        ]
    }
    return salt_g


def _openssl(machine, *words):
    done = subprocess.run(
        ["openssl", *words], cwd=machine.out, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout + done.stderr


def test_a_small_authority_is_made_once_and_openssl_trusts_it(authority):
    planned = authority("state.apply", "pki", "test=True")
    first = authority("state.apply", "pki")
    second = authority("state.apply", "pki")

    assert {ret["result"] for tag, ret in planned.value.items() if tag.startswith("x509")} == {None}
    assert {ret["result"] for ret in first.value.values()} == {True}
    assert all(ret["changes"] == {} for ret in second.value.values())
    assert "www.crt: OK" in _openssl(authority, "verify", "-CAfile", "ca.crt", "www.crt")
    text = _openssl(authority, "x509", "-in", "www.crt", "-noout", "-text", "-subject")
    assert "O = Example, CN = www.example.org" in text
    assert "DNS:www.example.org, IP Address:10.0.0.1" in text
    assert "Key Compromise" in _openssl(authority, "crl", "-in", "ca.crl", "-noout", "-text")
    bag = _openssl(authority, "pkcs12", "-in", "www.p12", "-passin", "pass:secret", "-nodes")
    assert "friendlyName: web" in bag
    assert "BEGIN PRIVATE KEY" in bag


def test_private_keys_are_for_their_owner_and_never_shown(authority):
    outcome = authority("-l", "debug", "state.apply", "pki")

    assert "PRIVATE KEY" not in outcome.out + outcome.err
    modes = {name: stat.S_IMODE(os.stat(authority.out / name).st_mode) for name in ("ca.key", "www.p12")}
    assert modes == {"ca.key": 0o400, "www.p12": 0o600}


def test_a_certificate_that_differs_is_reported_and_renewed(authority):
    authority("state.apply", "pki")
    certificate = f"{authority.out}/www.crt"

    outcome = authority(
        *("state.single", "x509.certificate_managed", certificate, f"csr={authority.out}/www.csr"),
        *("signing_policy=www", "CN=other.example.org", "days_remaining=200", "basicConstraints=CA:FALSE"),
    )

    ret = outcome.value[f"x509_|-{certificate}_|-{certificate}_|-certificate_managed"]
    assert ret["comment"] == "The certificate has been recreated"
    assert ret["changes"] == {
        "expiration": True,
        "additional_certs": True,
        "subject_name": "CN=other.example.org,O=Example",
        "extensions": {"added": ["basicConstraints"], "changed": [], "removed": []},
    }


def test_another_encoding_keeps_the_certificate(authority):
    authority("state.apply", "pki")
    before = _openssl(authority, "x509", "-in", "ca.crt", "-noout", "-serial")

    authority(
        *("state.single", "x509.certificate_managed", f"{authority.out}/ca.crt", "encoding=der"),
        *(f"signing_private_key={authority.out}/ca.key", "CN=ca.example.org", "C=DE"),
        *("basicConstraints=critical, CA:true", "keyUsage=critical, cRLSign, keyCertSign"),
        "subjectKeyIdentifier=hash",
    )

    assert _openssl(authority, "x509", "-in", "ca.crt", "-inform", "der", "-noout", "-serial") == before


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("x509.create_private_key", "keysice=2048"), "nearest: keysize"),
        (("x509.create_certificate", "signing_private_key=KEY", "keyUsge=x"), "nearest: keyUsage"),
        (("x509.create_certificate", "signing_private_key=KEY", "keyUsage=signing"), "digitalSignature"),
        (("x509.create_certificate", "signing_private_key=KEY", "serial_bits=64"), "['serial_bits']"),
        (("x509.create_certificate", "signing_private_key=KEY", "version=1"), "['version']"),
        (("x509.create_private_key", "cipher=aes_256_cbc"), "['cipher']"),
        (("x509.create_csr", "KEY", "digest=sha265"), "nearest: sha256"),
        (("x509.create_private_key", "algo=dsa"), "Valid: rsa, ec, ed25519, ed448"),
        (("x509.create_certificate", "ca_server=ca", "signing_policy=www", "CN=a"), "did not respond"),
    ],
)
def test_words_that_are_not_known_are_named(salt_g, words, expected):
    salt_g("x509.create_private_key", "algo=ed25519", f"path={salt_g.out}/a.key")

    outcome = salt_g(*(word.replace("KEY", f"{salt_g.out}/a.key") for word in words))

    assert outcome.code != 0
    assert expected in outcome.err


@pytest.mark.parametrize("word", ["digest", "algorithm"])
@pytest.mark.parametrize(
    ("function", "about", "command"),
    [
        ("certificate_managed", ("signing_private_key=KEY", "CN=a"), "x509"),
        ("csr_managed", ("private_key=KEY", "CN=a"), "req"),
        ("crl_managed", ("signing_private_key=KEY", "signing_cert=CRT", "revoked=[]"), "crl"),
    ],
)
def test_the_digest_counts_under_both_of_its_names(authority, function, about, command, word):
    authority("state.apply", "pki")
    paths = {"KEY": f"{authority.out}/ca.key", "CRT": f"{authority.out}/ca.crt"}
    words = [each.replace("KEY", paths["KEY"]).replace("CRT", paths["CRT"]) for each in about]
    order = ("state.single", f"x509.{function}", f"{authority.out}/new", *words, f"{word}=sha512")

    first, second = authority(*order), authority(*order)

    assert "sha512WithRSA" in _openssl(authority, command, "-in", "new", "-noout", "-text")
    assert {ret["result"] for ret in first.value.values()} == {True}
    assert all(ret["changes"] == {} for ret in second.value.values())


def test_the_digest_of_a_policy_counts_under_its_old_name(authority):
    authority.settings["x509_signing_policies"]["www"].append({"algorithm": "sha512"})
    authority("state.apply", "pki")

    assert "sha512WithRSA" in _openssl(authority, "x509", "-in", "www.crt", "-noout", "-text")


@pytest.mark.parametrize("mode", ["test=True", "test=False"])
@pytest.mark.parametrize("word", ["serial_bits=64", "managed_private_key={name: /k}", "algoritm=sha512"])
def test_an_argument_without_effect_on_a_certificate_is_refused(authority, word, mode):
    authority("state.apply", "pki")
    key = f"signing_private_key={authority.out}/ca.key"

    outcome = authority("state.single", "x509.certificate_managed", f"{authority.out}/new", key, word, mode)

    (ret,) = outcome.value.values()
    assert ret["result"] is False
    assert word.partition("=")[0] in ret["comment"]
    assert not (authority.out / "new").exists()


@pytest.mark.parametrize("encoding", ["der", "pem"])
def test_backup_keeps_the_old_version_in_any_encoding(authority, encoding):
    authority("state.apply", "pki")
    order = ("x509.certificate_managed", f"{authority.out}/new", f"encoding={encoding}", "backup=minion")
    key = f"signing_private_key={authority.out}/ca.key"

    for name in ("one", "two"):
        authority("state.single", *order, key, f"CN={name}")

    kept = authority("file.list_backups", f"{authority.out}/new").value
    assert len(kept) == 1
    old = _openssl(authority, "x509", "-inform", encoding, "-in", kept["0"]["Location"], "-noout", "-subject")
    assert "CN = one" in old
