"""Keys and signatures that a master presents at every sign-in."""

import os

import pytest

from salt_g.errors import KeysError, WireError
from salt_g.keys.signature import gen_signature
from salt_g.master.admission.master_identity import load_identity
from salt_g.master.settings import MasterIdentitySettings
from salt_g.wire.rsa import PrivateKey


@pytest.fixture
def opts(tmp_path, master_key, other_key):
    """Return settings of a master whose key pairs exist."""
    (tmp_path / "master.pem").write_text(master_key.to_pem(None))
    (tmp_path / "master_sign.pem").write_text(other_key.to_pem(None))
    return {
        "id": "m_master",
        "pki_dir": str(tmp_path),
        "keysize": 2048,
        "key_pass": None,
        "signing_key_pass": None,
        "master_sign_pubkey": False,
        "master_sign_key_name": "master_sign",
        "master_use_pubkey_signature": False,
        "master_pubkey_signature": None,
        "publish_signing_algorithm": "PKCS1v15-SHA224",
    }


def load(opts):
    return load_identity(MasterIdentitySettings.of(opts), 4505)


def test_the_key_on_disk_is_the_masters(opts, master_key, tmp_path):
    identity = load(opts)

    assert (identity.key.public, identity.publish_port) == (master_key.public, 4505)
    assert identity.key_signature("PKCS1v15-SHA1") == b""
    assert (tmp_path / "master.pub").read_text().strip() == master_key.public.pem


def test_keys_are_made_at_the_first_start(opts, tmp_path):
    opts.update(pki_dir=str(tmp_path / "pki"), master_sign_pubkey=True, signing_key_pass="secret")

    identity = load(opts)

    assert sorted(os.listdir(tmp_path / "pki")) == [
        "master.pem",
        "master.pub",
        "master_sign.pem",
        "master_sign.pub",
    ]
    signing = PrivateKey((tmp_path / "pki" / "master_sign.pem").read_bytes(), "secret")
    assert _is_signed(identity, signing.public, "PKCS1v15-SHA224")


def test_the_signing_key_signs_for_each_algorithm(opts, other_key):
    identity = load({**opts, "master_sign_pubkey": True})

    for algorithm in ("PKCS1v15-SHA1", "PKCS1v15-SHA224"):
        assert _is_signed(identity, other_key.public, algorithm)
    with pytest.raises(WireError):
        identity.key_signature("none")


@pytest.mark.parametrize("name", [None, "mine"])
def test_a_signature_made_in_advance_needs_no_signing_key(opts, tmp_path, master_key, other_key, name):
    (tmp_path / "master.pub").write_text(master_key.public.pem)
    opts.update(master_sign_pubkey=True, master_use_pubkey_signature=True, master_pubkey_signature=name)
    assert gen_signature(opts) is True
    (tmp_path / "master_sign.pem").unlink()

    identity = load(opts)

    assert _is_signed(identity, other_key.public, "PKCS1v15-SHA224")
    assert not (tmp_path / "master_sign.pem").exists()


@pytest.mark.parametrize("content", [None, b"", b"\n", b"####", b"no signature", b"YWJj*"])
def test_a_file_without_a_signature_stops_the_start(opts, tmp_path, content):
    opts.update(master_sign_pubkey=True, master_use_pubkey_signature=True)
    if content is not None:
        (tmp_path / "m_master_pubkey_signature").write_bytes(content)

    with pytest.raises(KeysError, match="holds no signature of the master's key"):
        load(opts)


def test_a_key_that_cannot_be_read_stops_the_start_and_stays(opts, tmp_path):
    (tmp_path / "master.pem").write_text("garbage")

    with pytest.raises(KeysError):
        load(opts)
    assert (tmp_path / "master.pem").read_text() == "garbage"


def _is_signed(identity, signer, algorithm):
    pem = identity.key.public.pem.encode()
    return signer.verify(pem, identity.key_signature(algorithm), algorithm)
