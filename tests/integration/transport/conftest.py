"""Sockets of one test: a supervisor, a context, and their end."""

import gevent
import pytest

from salt_g.process.supervisor import Supervisor
from salt_g.transport.zeromq import GreenContext
from tests.support.waiting import hub_until

#: No wait of these tests may be longer (s).
LIMIT = 20


@pytest.fixture(autouse=True)
def limit():
    """End a test that waits for ever."""
    with gevent.Timeout(LIMIT, TimeoutError("this test waits for something that does not come")):
        yield


@pytest.fixture
def supervisor():
    """Yield the owner of the test's greenlets; at the end none is left."""
    family = Supervisor("test")
    yield family
    family.stop()
    assert not len(family)


@pytest.fixture
def context():
    """Yield a ZeroMQ context; sockets that a test forgot are closed."""
    made = GreenContext()
    yield made
    made.destroy(0)


@pytest.fixture
def start_again():
    """Return a function that starts the result of `make`.

    Its address is one that libzmq gives back a moment after its close.
    """

    def start(make):
        [started] = hub_until(lambda: _started(make()), "the address is free again")
        return started

    return start


def _started(server):
    """Start a server and return [server], [] if its address is still taken."""
    try:
        server.start()
    except OSError:
        return []
    return [server]
