"""Keys of a keyring: listing, creation, import, deletion."""

import os
import pwd
import stat

import pytest

from salt_g.errors import InvocationError
from salt_g.modules import gpg
from salt_g.modules.gpg import program


def test_a_key_that_was_made_is_listed(home, made):
    fingerprint = made(home, expire_date="2y", name_comment="of a test: ü")

    (key,) = gpg.list_keys(gnupghome=home)
    assert key["fingerprint"] == fingerprint
    assert key["keyid"] == fingerprint[-16:]
    assert key["uids"] == ["Ann (of a test: ü) <ann@example.com>"]
    assert (key["keyLength"], key["ownerTrust"], key["trust"]) == ("1024", *2 * ["Ultimately Trusted"])
    assert key["expired"] is False
    assert gpg.list_secret_keys(gnupghome=home)[0]["fingerprint"] == fingerprint


@pytest.mark.parametrize(
    "spelled",
    [
        lambda whole: whole,
        lambda whole: whole[-16:],
        lambda whole: whole[-8:],
        lambda whole: f"0x{whole[-16:].lower()}",
    ],
)
def test_a_key_is_found_by_its_id_or_fingerprint(home, spelled, made):
    fingerprint = made(home)

    assert gpg.get_key(keyid=spelled(fingerprint), gnupghome=home)["fingerprint"] == fingerprint
    assert gpg.get_key(keyid=fingerprint[-12:], gnupghome=home) is False


def test_a_name_of_two_lines_is_refused(home, made):
    with pytest.raises(InvocationError, match="Name-Real .*on one line"):
        made(home, name="Ann\n%pubring /tmp/x")


def test_a_secret_key_is_deleted_only_on_request(home, made):
    fingerprint = made(home)

    kept = gpg.delete_key(keyid=fingerprint[-16:], gnupghome=home)
    gone = gpg.delete_key(fingerprint=fingerprint, delete_secret=True, use_passphrase=False, gnupghome=home)

    assert kept == {"res": False, "message": "Secret key exists, delete first or pass delete_secret=True."}
    assert gone["message"] == f"Secret key for {fingerprint} deleted\nPublic key for {fingerprint} deleted"
    assert gpg.list_keys(gnupghome=home) == []
    again = gpg.delete_key(fingerprint=fingerprint, gnupghome=home)
    assert again == {"res": False, "message": "Key not available in keychain."}


def test_a_key_goes_from_one_keychain_to_another(home, context, tmp_path, made, new_home):
    fingerprint = made(home)
    file = tmp_path / "key.asc"

    result = gpg.export_key(fingerprint, output=str(file), gnupghome=home)
    other = new_home()
    first = gpg.import_key(filename=str(file), gnupghome=other)
    second = gpg.import_key(text=file.read_text(), gnupghome=other)
    secret = gpg.list_secret_keys(gnupghome=other)

    assert result == {"res": True, "comment": f"Exported key data has been written to {file}"}
    assert gpg.export_key(fingerprint, bare=True, gnupghome=home) == file.read_text()
    assert gpg.read_key(path=str(file), gnupghome=home)[0]["fingerprint"] == fingerprint
    assert first == {
        "res": True,
        "message": "Successfully imported key(s).",
        "fingerprints": [fingerprint],
    }
    assert second["message"] == "Key(s) already exist in keychain."
    assert secret == []


def test_of_several_keys_those_are_imported_that_are_wanted(home, made, new_home):
    ann, bob = made(home), made(home, name="Bob")
    both = gpg.export_key(secret=True, bare=True, gnupghome=home)

    other = new_home()
    result = gpg.import_key(text=both, select=bob[-16:], gnupghome=other)
    none = gpg.import_key(text=both, select="nobody@example.com", gnupghome=other)
    there = gpg.list_keys(gnupghome=other)
    secret = gpg.list_secret_keys(gnupghome=other)

    assert result["fingerprints"] == [bob] != [ann]
    assert none["message"] == "After filtering, no keys to import were left."
    assert [key["fingerprint"] for key in there] == [bob]
    assert secret == []


def test_text_without_a_key_is_not_imported(home):
    result = gpg.import_key(text="no key", gnupghome=home)

    assert result["res"] is False
    assert result["message"].startswith("Unable to import key. gpg: no valid OpenPGP data found")
    assert gpg.read_key(text="no key", gnupghome=home) == []


def test_secret_keys_are_written_for_their_owner_alone(home, tmp_path, made):
    file = tmp_path / "secret.asc"

    gpg.export_key(made(home), secret=True, output=str(file), gnupghome=home)

    assert "PRIVATE KEY" in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("level", "listed"),
    [
        ("unknown", "Unknown"),
        ("not_trusted", "Not Trusted"),
        ("marginally", "Marginally Trusted"),
        ("fully", "Fully Trusted"),
        ("ultimately", "Ultimately Trusted"),
    ],
)
def test_an_owner_is_trusted_at_the_given_level(home, level, listed, made):
    fingerprint = made(home)

    result = gpg.trust_key(keyid=fingerprint[-16:], trust_level=level, gnupghome=home)

    assert result["fingerprint"] == fingerprint
    assert result["message"].startswith("Setting ownership trust to ")
    assert gpg.get_key(fingerprint=fingerprint, gnupghome=home)["ownerTrust"] == listed


def test_a_keyring_is_one_file(home, tmp_path, made):
    ring = str(tmp_path / "ring.gpg")
    fingerprint = made(home)

    gpg.import_key(text=gpg.export_key(bare=True, gnupghome=home), gnupghome=home, keyring=ring)
    gpg.delete_key(fingerprint=fingerprint, delete_secret=True, use_passphrase=False, gnupghome=home)

    assert gpg.list_keys(gnupghome=home) == []
    assert [key["fingerprint"] for key in gpg.list_keys(gnupghome=home, keyring=ring)] == [fingerprint]


def test_an_unknown_user_is_named(context):
    context()

    with pytest.raises(InvocationError, match="User nosuch does not exist"):
        gpg.list_keys(user="nosuch")


def test_a_directory_is_made_for_the_first_key_and_not_for_looking(context, made, new_home, end_agent):
    context()
    home = os.path.join(new_home(), "new")

    assert gpg.list_keys(gnupghome=home) == []
    assert not os.path.exists(home)
    made(home)
    assert stat.S_IMODE(os.stat(home).st_mode) == 0o700
    end_agent(home)


def test_a_user_that_cannot_be_changed_to_does_not_fall_back_to_the_own_keyring(context, monkeypatch):
    context()
    nobody = pwd.getpwnam("nobody")
    monkeypatch.setattr(os, "geteuid", lambda: nobody.pw_uid + 1)

    found = program.keychain("nobody", None)

    assert (found.home, found.who) == (os.path.join(nobody.pw_dir, ".gnupg"), None)


def test_the_environment_says_where_our_own_keychain_is(context, monkeypatch):
    context()
    monkeypatch.setenv("GNUPGHOME", "/nowhere")

    assert program.keychain(None, None).home == "/nowhere"
    assert program.keychain(pwd.getpwuid(os.geteuid()).pw_name, None).home == "/nowhere"


def test_work_on_public_keys_leaves_no_agent(context, new_home, made, program):
    context()
    elsewhere = new_home()
    fingerprint = made(elsewhere)
    armoured = gpg.export_key(bare=True, gnupghome=elsewhere)
    home = new_home()

    added = gpg.import_key(text=armoured, gnupghome=home)
    trusted = gpg.trust_key(fingerprint=fingerprint, trust_level="fully", gnupghome=home)
    secret = gpg.list_secret_keys(gnupghome=home)
    deleted = gpg.delete_key(fingerprint=fingerprint, gnupghome=home, use_passphrase=False)

    assert (added["res"], trusted["res"], secret, deleted["res"]) == (True, True, [], True)
    assert not os.path.exists(os.path.join(home, "S.gpg-agent"))
    assert "no gpg-agent" not in f"{added}{trusted}{deleted}"


def test_a_directory_too_long_for_an_agent_has_no_secret_keys(context, made, new_home, tmp_path):
    context()
    elsewhere = new_home()
    fingerprint = made(elsewhere)
    home = tmp_path / ("long" * 30)
    home.mkdir(mode=0o700)

    gpg.import_key(text=gpg.export_key(bare=True, gnupghome=elsewhere), gnupghome=str(home))

    assert gpg.get_key(fingerprint=fingerprint, gnupghome=str(home))["fingerprint"] == fingerprint
    assert gpg.get_secret_key(fingerprint=fingerprint, gnupghome=str(home)) is False
