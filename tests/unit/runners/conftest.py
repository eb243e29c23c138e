"""Fake master of runners: a client with prepared answers, and the recorded progress of a run."""

import pytest


class FakeClient:
    """Returns prepared results of functions, and records its calls."""

    def __init__(self, **answers):
        self.answers = answers
        self.calls = []

    def cmd(self, tgt, fun, arg=(), **kwargs):
        self.calls.append((tgt, fun, list(arg), kwargs))
        return self.answers[fun.replace(".", "_")]


class FakeProgress:
    def __init__(self):
        self.fired = []
        self.written = []

    def fire(self, data, suffix="progress"):
        self.fired.append((suffix, data))

    def write(self, text):
        self.written.append(text)


@pytest.fixture
def progress():
    """Return the recorded progress of a run."""
    return FakeProgress()


@pytest.fixture
def fake_client():
    """Return a factory of clients: `fake_client(test_ping={...})`."""
    return FakeClient
