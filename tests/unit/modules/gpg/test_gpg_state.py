"""Keys that must be present in a keyring, or absent."""

import pytest

from salt_g.modules import gpg as module
from salt_g.states import gpg
from tests.support.waiting import until


@pytest.fixture
def ann(context, new_home, made):
    """Return (fingerprint, armoured key) of a person whose key is not in the keyring of the test."""
    context()
    elsewhere = new_home()
    fingerprint = made(elsewhere)
    return fingerprint, module.export_key(bare=True, gnupghome=elsewhere)


def test_a_key_is_added_once(ann, context, home):
    fingerprint, text = ann
    wanted = {"text": text, "trust": "marginally", "gnupghome": home}

    context(opts={"test": True})
    preview = gpg.present(fingerprint, **wanted)
    there = module.list_keys(gnupghome=home)
    context()
    done = gpg.present(fingerprint, **wanted)
    again = gpg.present(fingerprint, **wanted)

    assert (preview["result"], preview["changes"]) == (
        None,
        {fingerprint: {"added": True, "trust": "marginally"}},
    )
    assert preview["comment"] == (
        f"Key {fingerprint}:\n  * Would have added {fingerprint} to GPG keychain"
        f"\n  * Would have set trust level for {fingerprint} to marginally"
    )
    assert there == []
    assert (done["result"], done["changes"]) == (True, preview["changes"])
    assert done["comment"] == (
        f"Key {fingerprint}:\n  * Added {fingerprint} to GPG keychain"
        f"\n  * Set trust level for {fingerprint} to marginally"
    )
    assert (again["result"], again["changes"]) == (True, {})
    assert again["comment"] == (
        f"Key {fingerprint}:\n  * GPG Public Key {fingerprint} already in keychain"
        f"\n  * GPG Public Key {fingerprint} already in correct trust state"
    )


def test_trust_that_is_another_one_is_changed(ann, context, home):
    fingerprint, text = ann
    keyid = fingerprint[-16:]
    gpg.present(keyid, text=text, gnupghome=home)

    context(opts={"test": True})
    preview = gpg.present(keyid, trust="fully", gnupghome=home)
    context()
    done = gpg.present(keyid, trust="fully", gnupghome=home)

    assert (preview["result"], preview["changes"]) == (None, {keyid: {"trust": "fully"}})
    assert f"Would have set trust level for {keyid} to fully" in preview["comment"]
    assert (done["result"], done["changes"]) == (True, preview["changes"])
    assert module.get_key(keyid=keyid, gnupghome=home)["ownerTrust"] == "Fully Trusted"


def expiring(home, program, words):
    """Set when keys of a keyring expire, and return the armoured public keys."""
    program(home, *words)
    return program(home, "--armor", "--export").decode()


def test_a_key_that_has_run_out_is_fetched_anew(context, home, new_home, made, program):
    elsewhere = new_home()
    fingerprint = made(elsewhere)
    old = expiring(elsewhere, program, ["--quick-set-expire", fingerprint, "seconds=1"])
    module.import_key(text=old, gnupghome=home)
    wait_until_expired(home, fingerprint)
    new = expiring(elsewhere, program, ["--quick-set-expire", fingerprint, "2y"])

    stale = gpg.present(fingerprint, text=old, gnupghome=home)
    context(opts={"test": True})
    preview = gpg.present(fingerprint, text=new, gnupghome=home)
    context()
    done = gpg.present(fingerprint, text=new, gnupghome=home)
    again = gpg.present(fingerprint, text=new, gnupghome=home)

    assert (stale["result"], stale["changes"]) == (False, {})
    assert stale["comment"].endswith(f"Passed text contained the key {fingerprint}, but it's expired")
    assert (preview["result"], preview["changes"]) == (None, {fingerprint: {"refresh": True}})
    assert preview["comment"].endswith(f"Would have attempted to update {fingerprint} because it is expired")
    assert (done["result"], done["changes"]) == (True, preview["changes"])
    assert module.get_key(fingerprint=fingerprint, gnupghome=home)["expired"] is False
    assert (again["result"], again["changes"]) == (True, {})


def test_subkeys_that_have_run_out_are_extended(context, home, new_home, made, program):
    elsewhere = new_home()
    fingerprint = made(elsewhere, subkey_type="RSA", subkey_length=1024)
    (subkey,) = module.list_keys(gnupghome=elsewhere)[0]["subkeys"]
    old = expiring(elsewhere, program, ["--quick-set-expire", fingerprint, "seconds=1", "*"])
    module.import_key(text=old, gnupghome=home)
    wait_until_expired(home, fingerprint)
    # By its fingerprint: `*` means those that have not run out yet.
    new = expiring(elsewhere, program, ["--quick-set-expire", fingerprint, "2y", subkey["fingerprint"]])

    untouched = gpg.present(fingerprint, text=new, subkey_maxage=0, gnupghome=home)
    nothing_new = gpg.present(fingerprint, text=old, gnupghome=home)
    done = gpg.present(fingerprint, text=new, gnupghome=home)

    assert (untouched["result"], untouched["changes"]) == (True, {})
    assert (nothing_new["result"], nothing_new["changes"]) == (True, {})
    assert (
        "because it has expired subkeys, but no new signatures or keys were found" in nothing_new["comment"]
    )
    assert done["changes"] == {fingerprint: {"refresh": True, "subkeys": {"extended": [subkey["keyid"]]}}}
    assert module.list_keys(gnupghome=home)[0]["subkeys"][0]["expired"] is False


def wait_until_expired(home, fingerprint):
    """Wait for the second in which a key or its subkey expires."""

    def has_expired():
        key = module.get_key(fingerprint=fingerprint, gnupghome=home)
        return any(part.get("expired") for part in (key, *key.get("subkeys", [])))

    until(has_expired, "the key has run out")


def test_a_text_without_the_key_adds_nothing(ann, home):
    result = gpg.present("0123456789ABCDEF", text=ann[1], gnupghome=home)

    assert (result["result"], result["changes"]) == (False, {})
    assert result["comment"].endswith("  * Passed text did not contain the requested key 0123456789ABCDEF")
    assert module.list_keys(gnupghome=home) == []


def test_the_first_file_that_has_the_key_is_taken(ann, home, tmp_path):
    fingerprint, text = ann
    file = tmp_path / "ann.asc"
    file.write_text(text)
    sources = [str(tmp_path / "nosuch"), str(tmp_path), str(file)]

    result = gpg.present(fingerprint, source=sources, skip_keyserver=True, gnupghome=home)
    missing = gpg.present("0123456789ABCDEF", source=sources, skip_keyserver=True, gnupghome=home)

    assert (result["result"], result["changes"]) == (True, {fingerprint: {"added": True}})
    assert missing["result"] is False
    assert "none of the specified sources were found or contained the (unexpired) key" in missing["comment"]


def test_files_are_asked_when_the_server_fails(ann, home, tmp_path):
    fingerprint, text = ann
    file = tmp_path / "ann.asc"
    file.write_text(text)
    nowhere = "hkp://127.0.0.1:1"

    result = gpg.present(fingerprint, keyserver=nowhere, source=str(file), gnupghome=home)
    failed = gpg.present("0123456789ABCDEF", keyserver=nowhere, source=str(file), gnupghome=home)

    assert result["result"] is True
    assert failed["result"] is False
    assert "GPG reported failure: gpg: keyserver receive failed" in failed["comment"]
    assert "none of the specified sources" in failed["comment"]


@pytest.mark.parametrize(
    ("wanted", "comment"),
    [
        ({"skip_keyserver": True}, "When skipping keyservers, you must provide at least one source"),
        ({"trust": "a bit"}, "Invalid trust level a bit; known are: "),
        ({"user": "nosuch"}, "User nosuch does not exist"),
    ],
)
def test_impossible_arguments_are_reported(context, wanted, comment):
    context()

    result = gpg.present("0123456789ABCDEF", **wanted)

    assert result["result"] is False
    assert result["comment"].startswith(comment)


def test_a_key_is_removed_once(ann, context, home, tmp_path):
    fingerprint, text = ann
    ring = tmp_path / "ring.gpg"
    wanted = {"keyring": str(ring), "keyring_absent_if_empty": True, "gnupghome": home}
    gpg.present(fingerprint, text=text, keyring=str(ring), gnupghome=home)

    context(opts={"test": True})
    preview = gpg.absent(fingerprint, **wanted)
    context()
    done = gpg.absent(fingerprint, **wanted)
    again = gpg.absent(fingerprint, **wanted)

    assert (preview["result"], preview["changes"]) == (None, {"deleted": [fingerprint]})
    assert done["result"] is True
    assert done["changes"] == {"deleted": [fingerprint], "removed": str(ring)}
    assert not ring.exists()
    assert (again["result"], again["changes"]) == (True, {})
    assert again["comment"] == f"{fingerprint} not found in GPG keychain"


@pytest.mark.parametrize("test", [True, False])
def test_a_key_with_its_secret_part_stays(context, home, made, test):
    fingerprint = made(home)
    context(opts={"test": test})

    result = gpg.absent(fingerprint, gnupghome=home)

    assert (result["result"], result["changes"]) == (False, {})
    assert result["comment"].startswith(f"Secret key of {fingerprint} exists")
    assert module.get_key(fingerprint=fingerprint, gnupghome=home)
