"""A master from the viewpoint of the wire, and recorded messages of stock."""

import json
import pathlib

import pytest

from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_server import MasterIdentity, PublishKey

VECTORS = pathlib.Path(__file__).parent / "vectors"


@pytest.fixture(scope="session")
def signing_key(other_key):
    """Return the pair that signs a master's public key."""
    return other_key


@pytest.fixture(scope="session")
def master(master_key):
    """Return a master without a signing key."""
    return MasterIdentity(master_key, 4505)


@pytest.fixture(scope="session")
def publish_key(master_key):
    """Return the key of publications."""
    return PublishKey.prove(Crypticle.generate(), master_key)


@pytest.fixture(scope="session")
def vector():
    """Return a function that returns recorded messages of stock 3008.3, with their keys."""
    return lambda name: json.loads((VECTORS / f"{name}.json").read_text())
