"""Recorded runs of states."""

import contextlib

import pytest

from salt_g.state.undo.history import UndoHistory
from tests.support.recorded_jobs import jid


@pytest.fixture
def history(tmp_path):
    """Return recorded runs below a cache directory beside the tree `top`."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "top").mkdir()
    return UndoHistory(str(tmp_path / "cache"), 1 << 20)


@pytest.fixture
def top(tmp_path):
    return tmp_path / "top"


@pytest.fixture
def recorded(history):
    """Return a factory of contexts: `with recorded("1"):` records the body as the job 2026...1.

    Yields its chunk.
    """

    @contextlib.contextmanager
    def run(number="1", *, changes=None, **low):
        journal = history.journal(jid(number), "state.apply")
        chunk = journal.chunk({"state": "file", "fun": "managed", "__id__": "x", "name": "x", **low})
        with chunk.recording:
            yield chunk
        chunk.end({"changes": changes or {}})
        journal.close()

    return run
