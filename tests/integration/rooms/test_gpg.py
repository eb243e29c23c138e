"""Keyrings used by the command, the file server and pillar."""

import pathlib
import shutil
import subprocess
import tempfile

import pytest


@pytest.fixture
def home():
    """Yield a directory with a short path, because socket paths have at most 107 characters."""
    path = tempfile.mkdtemp(prefix="gpg-")
    yield path
    subprocess.run(["gpgconf", "--homedir", path, "--kill", "all"], check=False)
    shutil.rmtree(path, ignore_errors=True)


def test_a_key_of_the_state_tree_encrypts_for_its_owner(salt_g, need, home):
    need("gpg")
    ours = {"GNUPGHOME": home}
    (salt_g.pillar / "top.sls").write_text("base:\n  '*':\n    - words\n")
    (salt_g.pillar / "words.sls").write_text("gpg_passphrase: hidden words\n")
    made = salt_g("gpg.create_key", "key_length=1024", "use_passphrase=True", env=ours).value
    fingerprint = made["fingerprint"]
    salt_g("gpg.export_key", fingerprint, f"output={salt_g.states}/ann.asc", env=ours)
    sls = (
        f"{fingerprint}:\n  gpg.present:\n    - user: salt\n    - source: salt://ann.asc\n"
        "    - skip_keyserver: true\n    - trust: ultimately\n"
    )
    salt_g.write({"keys.sls": sls})
    sealed = str(salt_g.out / "sealed")

    (first,) = salt_g("state.apply", "keys").value.values()
    (second,) = salt_g("state.apply", "keys").value.values()
    words = ("text=secret", f"recipients={fingerprint}", f"output={sealed}")
    result = salt_g("gpg.encrypt", *words, "user=salt").value
    subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)
    opened = salt_g("gpg.decrypt", f"filename={sealed}", "use_passphrase=True", as_json=False, env=ours)

    assert made["message"] == "GPG key pair successfully generated."
    assert first["changes"] == {fingerprint: {"added": True, "trust": "ultimately"}}, first["comment"]
    assert (second["result"], second["changes"]) == (True, {})
    assert pathlib.Path(salt_g.conf, "gpgkeys").stat().st_mode & 0o777 == 0o700
    assert result == {"res": True, "comment": f"Encrypted data has been written to {sealed}"}
    assert opened.code == 0
    assert "secret" in opened.out
