"""Signers' files: accepted content, and reasons for refusal."""

import os

import pytest

from salt_g.git.signers import MOST_BYTES, SignersError, read_keys
from tests.support.signed_origins import GpgSigner, needs_signing, write_signers

pytestmark = needs_signing


def test_lines_of_openssh_are_copied_without_comments(tmp_path, ann):
    file = write_signers(tmp_path / "s", f"# people\n\n{ann.line}")

    keys = read_keys((file,), str(tmp_path / "keys"))

    with open(keys.allowed_signers) as copied:
        assert copied.read() == ann.line
    assert os.stat(os.path.dirname(keys.allowed_signers)).st_mode & 0o777 == 0o700


def test_a_file_that_changes_has_another_copy(tmp_path, ann, eve):
    path = tmp_path / "s"
    first = read_keys((write_signers(path, ann.line),), str(tmp_path / "keys"))

    second = read_keys((write_signers(path, eve.line),), str(tmp_path / "keys"))

    assert first.digest != second.digest
    with open(first.allowed_signers) as copied:
        assert copied.read() == ann.line


@pytest.mark.parametrize("armour", [True, False])
def test_keys_of_openpgp_are_imported(tmp_path, armour):
    signer = GpgSigner(tmp_path, "bob")
    signer.close()
    path = tmp_path / "k"
    signer.gpg(*(["--armor"] if armour else []), "--output", str(path), "--export")
    os.chmod(path, 0o644)

    keys = read_keys((str(path),), str(tmp_path / "keys"))

    assert os.path.getsize(os.path.join(keys.gnupg_home, "pubring.kbx")) > 100


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "names no signer"),
        ("ssh-ed25519 AAAA ann@example.org\n", ":1: a line of an allowed_signers file must be"),
        ("# x\nann\n", ":2: a line of an allowed_signers file must be"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nx\n", "no OpenPGP public key"),
        (b"\0" * 8 + b"KBXf", "a keybox of GnuPG; write the keys with 'gpg --export KEY >"),
        ("x" * (MOST_BYTES + 1), "larger than"),
    ],
)
def test_a_file_without_signers_is_refused(tmp_path, content, expected):
    file = write_signers(tmp_path / "s", content)

    with pytest.raises(SignersError, match=expected):
        read_keys((file,), str(tmp_path / "keys"))

    assert not os.path.exists(tmp_path / "keys") or os.listdir(tmp_path / "keys") == []


def test_a_pipe_in_its_place_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "s")

    with pytest.raises(SignersError, match="is not a regular file"):
        read_keys((str(tmp_path / "s"),), str(tmp_path / "keys"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_that_others_can_change_is_refused(tmp_path, ann):
    file = write_signers(tmp_path / "s", ann.line)
    os.chown(file, 1, 1)

    with pytest.raises(SignersError, match="belongs to .*; give it to root"):
        read_keys((file,), str(tmp_path / "keys"))

    os.chown(file, 0, 0)
    os.chown(tmp_path, 1, 1)
    with pytest.raises(SignersError, match="other users can replace"):
        read_keys((file,), str(tmp_path / "keys"))
