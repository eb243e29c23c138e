"""Repositories with signed commits: keys of OpenSSH and of GnuPG, made for one test."""

import os
import subprocess

import pytest

from salt_g.process.command import which

#: Marks tests that sign for real.
needs_signing = pytest.mark.skipif(
    not all(map(which, ("git", "ssh-keygen", "gpg"))), reason="git, ssh-keygen or gpg is not installed"
)


class SshSigner:
    """A key pair of OpenSSH and its line of `allowed_signers`."""

    def __init__(self, directory, name):
        self.name = f"{name}@example.org"
        self.key = directory / f"key-{name}"
        _run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", self.name, "-f", str(self.key)])

    @property
    def line(self):
        """Line of the signers' file."""
        return f"{self.name} {(self.key.with_suffix('.pub')).read_text().strip()}\n"

    @property
    def config(self):
        """Words of git that make it sign with this key."""
        return ["-c", "gpg.format=ssh", "-c", f"user.signingkey={self.key}"]


class GpgSigner:
    """A key pair of GnuPG in a home of its own."""

    def __init__(self, directory, name):
        self.name = f"{name}@example.org"
        self.home = directory / f"g-{name}"
        self.home.mkdir(mode=0o700)
        self.gpg("--quick-gen-key", f"{name} <{self.name}>", "ed25519", "sign", "never")
        self._program = directory / f"gpg-{name}"
        self._program.write_text(f'#!/bin/sh\nGNUPGHOME="{self.home}" exec gpg "$@"\n')
        self._program.chmod(0o755)

    def gpg(self, *words, stdin=None):
        """Run gpg with the private key; return its output."""
        argv = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", *words]
        return _run(argv, {**os.environ, "GNUPGHOME": str(self.home)}, stdin)

    @property
    def public(self):
        """The public key, armoured."""
        return self.gpg("--armor", "--export")

    @property
    def config(self):
        """Words of git that make it sign with this key."""
        return ["-c", f"gpg.program={self._program}", "-c", f"user.signingkey={self.name}"]

    def close(self):
        """End the agent that gpg has started."""
        _run(["gpgconf", "--kill", "all"], {**os.environ, "GNUPGHOME": str(self.home)})


def signed_commit(origin, signer, **files):
    """Write files and commit them with a signature; return the commit."""
    for name, text in files.items():
        path = origin.path / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    origin.git("add", "--all")
    origin.git(*signer.config, "commit", "--quiet", "--allow-empty", "--gpg-sign", "--message=x")
    return origin.git("rev-parse", "HEAD")


def signed_tag(origin, signer, name, commit="HEAD"):
    """Make a tag with a signature."""
    origin.git(*signer.config, "tag", "--sign", "--force", "--message=x", name, commit)


def write_signers(path, text):
    """Write a signers' file that only its owner can change."""
    path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
    path.chmod(0o644)
    return str(path)


def _run(argv, env=None, stdin=None):
    return subprocess.run(argv, check=True, capture_output=True, env=env, input=stdin).stdout.decode()
