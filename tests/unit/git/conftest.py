"""Signers of commits, and repositories that advance only to signed commits."""

import pytest

from salt_g.git.repository import Repository
from salt_g.git.source import RemoteSource
from salt_g.git.verify_rules import read_rules
from tests.support.signed_origins import SshSigner, write_signers


@pytest.fixture
def ann(tmp_path):
    """Return a signer listed in the signers' file."""
    return SshSigner(tmp_path, "ann")


@pytest.fixture
def eve(tmp_path):
    """Return another committer with a key."""
    return SshSigner(tmp_path, "eve")


@pytest.fixture
def signers(tmp_path, ann):
    """Return the signers' file."""
    return write_signers(tmp_path / "signers", ann.line)


@pytest.fixture
def verified(tmp_path, signers):
    """Return a function that makes a clone of an origin and updates it once.

    Keywords are names of the setting.
    """

    def make(origin, **setting):
        rules = read_rules({"signers": signers, **setting}, "here", "gitfs_verify", {})
        made = Repository(RemoteSource(origin.url, verify=rules), str(tmp_path / "clones"))
        made.update()
        return made

    return make
