"""Shared fixtures of unit tests: keys made once (a pair takes from 30 ms to seconds), an event bus."""

import time

import pytest
from hypothesis import HealthCheck, settings

from salt_g.wire.rsa import PrivateKey

# A busy machine is slow: neither a call nor the making of its input fails because it takes long.
settings.register_profile(
    "any speed", parent=settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any speed")


@pytest.fixture(scope="session")
def minion_key():
    """Return a minion's key pair."""
    return PrivateKey.generate()


@pytest.fixture(scope="session")
def master_key():
    """Return a master's key pair."""
    return PrivateKey.generate()


@pytest.fixture(scope="session")
def other_key():
    """Return a key pair that is neither the minion's nor the master's."""
    return PrivateKey.generate()


class FakeEvents:
    """A bus whose watchers get the events of `answers` once a question was fired."""

    def __init__(self, *answers):
        self.fired = []
        self.answers = list(answers)

    def fire(self, tag, data):
        self.fired.append((tag, dict(data)))

    def watch(self, tag="", way="startswith"):
        return self

    def get(self, timeout=None):
        return self.answers.pop(0) if self.answers else None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


@pytest.fixture
def fake_events():
    """Return a factory of event buses: `fake_events(event, ...)`."""
    return FakeEvents


@pytest.fixture
def zone(monkeypatch):
    """Yield a function that sets the time zone of this process, until the end of the test."""

    def use(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield use
    monkeypatch.undo()
    time.tzset()
