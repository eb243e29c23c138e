"""What runners see of a master: a client with set answers, a job cache, a bus that remembers."""

import pytest


class FakeClient:
    """Answers each function with what it was given, and remembers what it was asked."""

    def __init__(self, **answers):
        self.answers = answers
        self.asked = []

    def cmd(self, tgt, fun, arg=(), **kwargs):
        self.asked.append((tgt, fun, list(arg), kwargs))
        return self.answers[fun.replace(".", "_")]


class FakeProgress:
    def __init__(self):
        self.fired = []
        self.written = []

    def fire(self, data, suffix="progress"):
        self.fired.append((suffix, data))

    def write(self, text):
        self.written.append(text)


class FakeEvents:
    """A bus whose watchers get what `answers` holds, after a question was fired."""

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
def progress():
    """What a run has said."""
    return FakeProgress()


@pytest.fixture
def fake_client():
    """Factory: `fake_client(test_ping={...})`."""
    return FakeClient


@pytest.fixture
def fake_events():
    """Factory: `fake_events(event, ...)`."""
    return FakeEvents
