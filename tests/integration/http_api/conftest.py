"""A master with its HTTP API and a minion, shared by the tests of a file."""

import pytest

from tests.support.api_client import ApiClient
from tests.support.api_fleet import running
from tests.support.api_schema import V1Client


@pytest.fixture(scope="module")
def fleet():
    """Yield (master, api), which tests leave unchanged; others use `running`."""
    with running() as parts:
        yield parts


@pytest.fixture(scope="module")
def client(fleet):
    """Return a client without a session."""
    return ApiClient(fleet[1].port)


@pytest.fixture(scope="module")
def ann(client):
    """Return a client of ann, who has all rights."""
    return client.logged_in("ann")


@pytest.fixture(scope="module")
def bob(client):
    """Return a client of bob, who may run functions of one module."""
    return client.logged_in("bob")


@pytest.fixture(scope="module")
def v1(fleet):
    """Return a client of /v1 without a login; `as_user` returns one of a user."""
    return V1Client(ApiClient(fleet[1].port))
