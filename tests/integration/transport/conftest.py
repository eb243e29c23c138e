"""Sockets of one test: a supervisor, a context, and their cleanup."""

import gevent
import pytest

from salt_g.process.supervisor import Supervisor
from salt_g.transport.zeromq import GreenContext
from tests.support.waiting import hub_until

#: No wait of these tests may be longer (s).
LIMIT = 20


@pytest.fixture(autouse=True)
def limit():
    """Fail a test that waits forever."""
    with gevent.Timeout(LIMIT, TimeoutError("this test waits for something that does not come")):
        yield


@pytest.fixture
def supervisor():
    """Yield the owner of the test's greenlets, all of which have ended afterwards."""
    family = Supervisor("test")
    yield family
    family.stop()
    assert not len(family)


@pytest.fixture
def context():
    """Yield a ZeroMQ context; sockets left open by a test are closed."""
    made = GreenContext()
    yield made
    made.destroy(0)


@pytest.fixture
def start_again():
    """Return a function that starts the result of `make`, and retries.

    libzmq releases an address only a moment after its close.
    """

    def start(make):
        [started] = hub_until(lambda: _started(make()), "the address is free again")
        return started

    return start


def _started(server):
    """Start a server and return [server], or [] if its address is still in use."""
    try:
        server.start()
    except OSError:
        return []
    return [server]
