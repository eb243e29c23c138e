"""Certificates of a master and a minion, and an owner of greenlets."""

import pytest

from salt_g.process.supervisor import Supervisor
from tests.support import certificates


@pytest.fixture(scope="session")
def tls_settings(tmp_path_factory):
    """Return a function that makes settings `ssl` of a new authority, which both sides trust."""
    return lambda **more: certificates.tls_settings(tmp_path_factory.mktemp("tls"), **more)


@pytest.fixture
def supervisor():
    """Yield the owner of greenlets, which stops them."""
    family = Supervisor("test")
    yield family
    family.stop()
