"""Signatures of a master's public key, made in advance."""

import base64
import os

import pytest

from salt_g.errors import WireError
from salt_g.keys.signature import file_name, gen_signature
from salt_g.wire.rsa import PrivateKey


@pytest.fixture
def opts(tmp_path, master_key):
    """Return settings of a master that has a key pair, and no signing key."""
    (tmp_path / "master.pub").write_text(master_key.public.pem + "\n")
    return {
        "id": "m_master",
        "pki_dir": str(tmp_path),
        "master_sign_key_name": "master_sign",
        "master_pubkey_signature": None,
        "signing_key_pass": None,
        "publish_signing_algorithm": "PKCS1v15-SHA224",
    }


@pytest.fixture
def signing_file(tmp_path, other_key):
    path = tmp_path / "master_sign.pem"
    path.write_text(other_key.to_pem(None))
    return path


def test_the_signature_is_that_of_the_cleaned_public_key(opts, signing_file, tmp_path, master_key, other_key):
    (tmp_path / "master.pub").write_text(f"\r\n{master_key.public.pem}\r\n\n")

    assert gen_signature(opts) is True

    text = (tmp_path / "m_master_pubkey_signature").read_bytes()
    signed = master_key.public.pem.encode()
    assert other_key.public.verify(signed, base64.b64decode(text), "PKCS1v15-SHA224")
    assert max(map(len, text.splitlines())) == 76


def test_a_signature_that_exists_stays(opts, signing_file, tmp_path):
    (tmp_path / "m_master_pubkey_signature").write_text("of an operator")

    assert gen_signature(opts) is False
    assert (tmp_path / "m_master_pubkey_signature").read_text() == "of an operator"


def test_a_missing_key_is_named_and_nothing_is_written(opts, tmp_path):
    nowhere = str(tmp_path / "nowhere")

    assert gen_signature(opts, pub=nowhere) == f"Public-key {nowhere} does not exist"
    assert gen_signature(opts, priv=nowhere) == f"Private-key {nowhere} does not exist"
    assert gen_signature(opts) == "No usable private-key found"
    (tmp_path / "master.pub").unlink()
    assert gen_signature(opts, auto_create=True) == "No usable public-key found"
    assert os.listdir(tmp_path) == []


def test_files_and_directory_may_be_named(opts, tmp_path, minion_key, other_key):
    (tmp_path / "other.pub").write_text(minion_key.public.pem)
    (tmp_path / "other.pem").write_text(other_key.to_pem(None))
    (tmp_path / "out").mkdir()
    opts["master_pubkey_signature"] = "signed"

    done = gen_signature(
        opts,
        pub=str(tmp_path / "other.pub"),
        priv=str(tmp_path / "other.pem"),
        directory=str(tmp_path / "out"),
    )

    signature = base64.b64decode((tmp_path / "out" / "signed").read_bytes())
    assert done is True
    assert other_key.public.verify(minion_key.public.pem.encode(), signature, "PKCS1v15-SHA224")


def test_a_signing_key_is_made_where_that_is_wanted(opts, tmp_path, master_key):
    opts["signing_key_pass"] = "secret"

    assert gen_signature(opts, auto_create=True) is True

    made = PrivateKey((tmp_path / "master_sign.pem").read_bytes(), "secret")
    signature = base64.b64decode((tmp_path / "m_master_pubkey_signature").read_bytes())
    assert made.public.verify(master_key.public.pem.encode(), signature, "PKCS1v15-SHA224")


def test_a_signing_key_that_cannot_be_read_is_an_error_and_signs_nothing(opts, signing_file, tmp_path):
    signing_file.write_text("garbage")

    with pytest.raises(WireError):
        gen_signature(opts)
    assert not (tmp_path / "m_master_pubkey_signature").exists()


def test_the_file_is_named_by_the_setting_or_after_the_master(opts):
    assert file_name(opts) == "m_master_pubkey_signature"
    assert file_name({**opts, "master_pubkey_signature": ""}) == "m_master_pubkey_signature"
    assert file_name({**opts, "master_pubkey_signature": "mine"}) == "mine"
