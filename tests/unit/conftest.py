"""Keys of masters and minions, made once for all tests: a pair takes from 30 ms to seconds."""

import pytest

from salt_g.wire.rsa import PrivateKey


@pytest.fixture(scope="session")
def minion_key():
    """A minion's key pair."""
    return PrivateKey.generate()


@pytest.fixture(scope="session")
def master_key():
    """A master's key pair."""
    return PrivateKey.generate()


@pytest.fixture(scope="session")
def other_key():
    """A key pair that is neither the minion's nor the master's."""
    return PrivateKey.generate()
