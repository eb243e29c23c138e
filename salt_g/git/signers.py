"""Public keys of signers, copied from their files to a private directory for git.

A file has lines of OpenSSH's `allowed_signers` (`PRINCIPAL KEYTYPE KEY`, see ssh-keygen(1)), or OpenPGP
public keys as `gpg --export` writes them, armoured or not. The copy has the bytes that were checked and is
named by their digest, so that a change of the file in the meantime has no effect.
Errors: SignersError for an unusable file; no signature is verified then.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import time
from contextlib import suppress
from typing import NamedTuple

from salt_g.errors import CommandExecutionError, FileServerError
from salt_g.process.command import Finished, run, which
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.safe_files import links
from salt_g.safe_files.entries import open_at

#: Maximum size of a signers' file (bytes), and time limit of an import (s).
MOST_BYTES = 1 << 20
IMPORT_TIMEOUT = 60
#: Age at which the keys of earlier signers are removed (s), longer than any check by another process takes.
UNUSED = 3600.0
#: No agent and no network; every key is trusted, because this directory holds only signers' keys.
_GPG_CONF = "batch\nno-autostart\nno-auto-key-retrieve\nno-auto-key-locate\ntrust-model always\n"
#: Flags for opening the file, so that opening a pipe in its place does not wait for a writer.
_FLAGS = os.O_RDONLY | os.O_NONBLOCK
_ARMOUR = b"-----BEGIN PGP PUBLIC KEY BLOCK-----"
_KEYBOX = b"KBXf"


class SignersError(FileServerError):
    """The signers' keys cannot be used; the message says why."""


class SignerKeys(NamedTuple):
    """Private copy of the signers' keys; `digest` identifies its content."""

    digest: str
    allowed_signers: str
    gnupg_home: str


def read_keys(files: tuple[str, ...], directory: str) -> SignerKeys:
    """Copy the keys in these files to a folder below `directory` and return the copy; raises SignersError."""
    contents = [_content(file) for file in files]
    digest = hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in contents)).hexdigest()
    folder = os.path.join(directory, digest)
    if not os.path.isdir(folder):
        _make(folder, list(zip(files, contents, strict=True)))
        _remove_unused(directory, keep=digest)
    return SignerKeys(digest, os.path.join(folder, "allowed_signers"), os.path.join(folder, "gnupg"))


def _content(file: str) -> bytes:
    try:
        with links.located(file) as place, open(open_at(place, _FLAGS), "rb") as opened:
            _check_owner(file, os.fstat(opened.fileno()))
            content = opened.read(MOST_BYTES + 1)
    except OSError as exc:
        raise SignersError(f"the signers' file {file} cannot be read: {exc.strerror or exc}") from None
    if len(content) > MOST_BYTES:
        raise SignersError(f"the signers' file {file} is larger than {MOST_BYTES} bytes")
    return content


def _check_owner(file: str, found: os.stat_result) -> None:
    """Raise SignersError for a file through which another user could choose the signers."""
    if not stat.S_ISREG(found.st_mode):
        raise SignersError(f"the signers' file {file} is not a regular file")
    if found.st_uid not in (0, os.geteuid()):
        owner = links.user_name(found.st_uid)
        raise SignersError(f"the signers' file {file} belongs to {owner}; give it to root: chown root {file}")
    if found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and found.st_gid):
        raise SignersError(f"other users can change the signers' file {file}; forbid it: chmod go-w {file}")
    if not links.keeps_files(os.path.dirname(file)):
        raise SignersError(
            f"other users can replace the signers' file {file}; put it where only root can write"
        )


def _make(folder: str, contents: list[tuple[str, bytes]]) -> None:
    temporary = f"{folder}.{os.urandom(8).hex()}"
    home = os.path.join(temporary, "gnupg")
    make_private_directory(home)
    try:
        write_whole(os.path.join(home, "gpg.conf"), _GPG_CONF)
        lines: list[bytes] = []
        for file, content in contents:
            if _is_openpgp(content):
                _import(file, content, home)
            else:
                lines += _checked_lines(file, content)
        write_whole(os.path.join(temporary, "allowed_signers"), b"".join(line + b"\n" for line in lines))
        os.rename(temporary, folder)
    except OSError:
        # Another process was faster; the same digest has the same keys.
        if not os.path.isdir(folder):
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _is_openpgp(content: bytes) -> bool:
    return _ARMOUR in content or content[:1] >= b"\x80" or content[8:12] == _KEYBOX


def _checked_lines(file: str, content: bytes) -> list[bytes]:
    """Return the lines with keys; raise SignersError with the line number of a malformed line."""
    lines = []
    for number, line in enumerate(content.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith(b"#"):
            continue
        if len(words) < 3 or b"\0" in line or words[0].startswith((b"ssh-", b"ecdsa-", b"sk-")):
            raise SignersError(
                f"{file}:{number}: a line of an allowed_signers file must be 'NAME KEYTYPE KEY', such as "
                "'ann@example.org ssh-ed25519 AAAA...'"
            )
        lines.append(line)
    if not lines:
        raise SignersError(f"the signers' file {file} names no signer")
    return lines


def _import(file: str, content: bytes, home: str) -> None:
    if content[8:12] == _KEYBOX:
        raise SignersError(f"{file} is a keybox of GnuPG; write the keys with 'gpg --export KEY > {file}'")
    done = _gpg(home, "--status-fd=1", "--import", stdin=content)
    # The exit code says nothing: without an agent, which public keys do not need, the code is never 0.
    if "[GNUPG:] IMPORT_OK" not in done.out or "[GNUPG:] IMPORT_PROBLEM" in done.out:
        said = (done.err.strip().splitlines() or ["no public key"])[0]
        raise SignersError(f"the signers' file {file} has no OpenPGP public key that gpg can use: {said}")


def _gpg(home: str, *words: str, stdin: bytes | None = None) -> Finished:
    program = which("gpg")
    if program is None:
        raise SignersError("OpenPGP keys need the program gpg; install gnupg")
    try:
        return run(
            [program, "--homedir", home, "--batch", "--no-tty", *words],
            env=clean_environment(home),
            stdin=stdin,
            timeout=IMPORT_TIMEOUT,
        )
    except CommandExecutionError as exc:
        raise SignersError(f"gpg cannot read the signers' keys: {exc}") from exc


def clean_environment(home: str) -> dict[str, str]:
    """Return an environment without settings of the user or the system; `home` is the GnuPG home."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": home,
        "GNUPGHOME": home,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _remove_unused(directory: str, keep: str) -> None:
    border = time.time() - UNUSED
    for entry in os.scandir(directory):
        with suppress(FileNotFoundError):
            if entry.name != keep and entry.stat(follow_symlinks=False).st_mtime < border:
                shutil.rmtree(entry.path, ignore_errors=True)
