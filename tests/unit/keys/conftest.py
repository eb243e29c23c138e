"""A `pki_dir` of its own, and keys for it."""

import pytest

from salt_g.keys.files import KeyFiles
from salt_g.keys.policy import AutoSettings, Policy
from salt_g.keys.store import KeyStore


@pytest.fixture(scope="session")
def pems(minion_key, master_key, other_key):
    """Return three public keys in PEM format."""
    return [key.public.pem for key in (minion_key, master_key, other_key)]


@pytest.fixture
def changes():
    """Return changes that the store reported, in order."""
    return []


@pytest.fixture
def keys(tmp_path, changes):
    return KeyStore(KeyFiles(str(tmp_path / "pki")), on_change=changes.append)


@pytest.fixture
def policy(tmp_path):
    """Return a function that makes the policy of some settings for the same `pki_dir`."""

    def make(**settings):
        return Policy(AutoSettings(pki_dir=str(tmp_path / "pki"), **settings))

    return make
