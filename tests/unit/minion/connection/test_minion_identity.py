"""A minion's identity on disk: its id, its keys, its trusted master, an invitation."""

import logging
import os

import pytest

from salt_g.errors import ConfigError, KeysError
from salt_g.minion.connection.minion_identity import MinionIdentity, load_identity
from salt_g.minion.settings import IdentitySettings


@pytest.fixture
def make(opts, minion_key):
    """Return a function that makes an identity with these settings."""
    return lambda **settings: MinionIdentity(IdentitySettings.of({**opts, **settings}), minion_key, b"tok")


@pytest.fixture
def pki(opts):
    """Return a function that writes a file of `pki_dir`."""

    def write(name, text):
        with open(os.path.join(opts["pki_dir"], name), "w") as file:
            file.write(text)

    return write


@pytest.mark.parametrize("id", ["", "a/b", "..", "a\0", None, "x" * 5000])
def test_an_invalid_id_is_refused(make, id):
    with pytest.raises(ConfigError, match="cannot be an id"):
        make(id=id)


def test_an_id_that_targets_misread_is_refused_unless_a_master_has_accepted_it(make, pki, master_key, caplog):
    with pytest.raises(ConfigError, match="targets would misread 'not'"):
        make(id="not")

    pki("minion_master.pub", master_key.public.pem)

    assert make(id="not").id == "not"
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_the_masters_key_is_remembered_until_an_operator_removes_it(make, opts, master_key):
    identity = make()
    assert identity.trust().known is None

    identity.remember(master_key.public)

    assert identity.trust().known.pem == master_key.public.pem
    os.unlink(os.path.join(opts["pki_dir"], "minion_master.pub"))
    assert identity.trust().known is None


def test_an_invalid_masters_key_is_an_error_with_its_path(make, pki):
    identity = make()
    pki("minion_master.pub", "-----BEGIN NOTHING-----\n")

    with pytest.raises(KeysError, match=r"minion_master\.pub.*it is not a public key"):
        identity.trust()


def test_the_settings_say_what_is_checked(make):
    trust = make(always_verify_signature=True, master_finger="ab:cd", hash_type="sha512").trust()

    assert (trust.always_verify_signature, trust.finger, trust.hash_type) == (True, "ab:cd", "sha512")
    plain = make().trust()
    assert (plain.signer, plain.always_verify_signature, plain.finger, plain.hash_type) == (
        *(None, False, "", "sha256"),
    )


def test_a_signing_key_that_is_asked_for_must_be_there(make, pki, other_key):
    identity = make(verify_master_pubkey_sign=True, master_sign_key_name="signer")
    with pytest.raises(KeysError, match=r"signer\.pub.*the signing key is missing"):
        identity.trust()

    pki("signer.pub", other_key.public.pem)

    assert identity.trust().signer.pem == other_key.public.pem


def test_an_invitation_is_read_until_it_is_forgotten(make, pki, caplog):
    identity = make()
    assert identity.invitation() is None
    text = f"{'a' * 8}-{'b' * 32}"
    pki("invitation", f"{text}\n")

    assert str(identity.invitation()) == text

    identity.forget_invitation()
    identity.forget_invitation()
    assert (identity.invitation(), caplog.messages) == (None, [])


def test_a_file_that_holds_no_invitation_is_ignored_and_named(make, pki, caplog):
    pki("invitation", "ä" * 500)

    assert make().invitation() is None
    assert "invitation ignored" in caplog.messages[0]


def test_the_key_pair_is_made_once(opts):
    settings = IdentitySettings.of(opts)
    first, second = load_identity(settings), load_identity(settings)

    assert first.key.public.pem == second.key.public.pem
    assert first.tok and oct(os.stat(os.path.join(opts["pki_dir"], "minion.pem")).st_mode)[-3:] == "400"
