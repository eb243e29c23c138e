"""Keys and certificates of OpenSSH from files and text."""

import pytest

from salt_g import x509
from salt_g.errors import InvocationError
from salt_g.x509 import ssh


def test_a_malformed_private_key_is_reported(tmp_path):
    (tmp_path / "key").write_text("nonsense")

    with pytest.raises(x509.loading.Unreadable, match="Could not load OpenSSH private key"):
        ssh.loading.private_key(str(tmp_path / "key"))


def test_a_certificate_with_a_changed_byte_is_refused(key, issuer, make_plan):
    line = bytearray(make_plan(key).sign(issuer).public_bytes())
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
