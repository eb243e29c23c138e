"""Repositories with signed commits: OpenSSH and GnuPG keys, created for one test."""

from __future__ import annotations

import os
import pathlib
import subprocess
from collections.abc import Mapping, Sequence
from typing import Protocol

import pytest

from salt_g.process.command import which

#: Marks tests that sign for real.
needs_signing = pytest.mark.skipif(
    not all(map(which, ("git", "ssh-keygen", "gpg"))), reason="git, ssh-keygen or gpg is not installed"
)


class Origin(Protocol):
    """A test repository."""

    path: pathlib.Path

    def git(self, *words: str) -> str:
        """Run git in it; return its output."""


class SshSigner:
    """An OpenSSH key pair and its line of `allowed_signers`."""

    def __init__(self, directory: pathlib.Path, name: str) -> None:
        self.name = f"{name}@example.org"
        self.key = directory / f"key-{name}"
        _run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", self.name, "-f", str(self.key)])

    @property
    def line(self) -> str:
        """Line of the signers' file."""
        return f"{self.name} {(self.key.with_suffix('.pub')).read_text().strip()}\n"

    @property
    def config(self) -> list[str]:
        """Git options that sign with this key."""
        return ["-c", "gpg.format=ssh", "-c", f"user.signingkey={self.key}"]


class GpgSigner:
    """A GnuPG key pair in its own home."""

    def __init__(self, directory: pathlib.Path, name: str) -> None:
        self.name = f"{name}@example.org"
        self.home = directory / f"g-{name}"
        self.home.mkdir(mode=0o700)
        self.gpg("--quick-gen-key", f"{name} <{self.name}>", "ed25519", "sign", "never")
        self._program = directory / f"gpg-{name}"
        self._program.write_text(f'#!/bin/sh\nGNUPGHOME="{self.home}" exec gpg "$@"\n')
        self._program.chmod(0o755)

    def gpg(self, *words: str, stdin: bytes | None = None) -> str:
        """Run gpg with the private key; return its output."""
        argv = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", *words]
        return _run(argv, {**os.environ, "GNUPGHOME": str(self.home)}, stdin)

    @property
    def public(self) -> str:
        """The public key, armoured."""
        return self.gpg("--armor", "--export")

    @property
    def config(self) -> list[str]:
        """Git options that sign with this key."""
        return ["-c", f"gpg.program={self._program}", "-c", f"user.signingkey={self.name}"]

    def close(self) -> None:
        """Stop the agent that gpg has started."""
        _run(["gpgconf", "--kill", "all"], {**os.environ, "GNUPGHOME": str(self.home)})


def signed_commit(origin: Origin, signer: SshSigner | GpgSigner, **files: str) -> str:
    """Write files and commit them with a signature; return the commit."""
    for name, text in files.items():
        path = origin.path / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    origin.git("add", "--all")
    origin.git(*signer.config, "commit", "--quiet", "--allow-empty", "--gpg-sign", "--message=x")
    return origin.git("rev-parse", "HEAD")


def signed_tag(origin: Origin, signer: SshSigner | GpgSigner, name: str, commit: str = "HEAD") -> None:
    """Make a tag with a signature."""
    origin.git(*signer.config, "tag", "--sign", "--force", "--message=x", name, commit)


def write_signers(path: pathlib.Path, text: str | bytes) -> str:
    """Write a signers' file that only its owner can change."""
    path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
    path.chmod(0o644)
    return str(path)


def _run(argv: Sequence[str], env: Mapping[str, str] | None = None, stdin: bytes | None = None) -> str:
    return subprocess.run(argv, check=True, capture_output=True, env=env, input=stdin).stdout.decode()
