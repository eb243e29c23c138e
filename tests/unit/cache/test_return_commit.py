"""Statement that saves returns, and its cost."""

import pytest

from salt_g.cache import return_commit
from salt_g.cache.sqlite_file import open_for_writing


@pytest.fixture
def connection(tmp_path):
    connection, _ = open_for_writing(str(tmp_path / "store"))
    yield connection
    connection.close()


def _returns(jid, number):
    return [(jid, f"m{n:05}", b"\x80") for n in range(number)]


def _steps(connection, returns):
    """Save returns; return the number of steps of SQLite's virtual machine, in thousands."""
    steps = []
    connection.set_progress_handler(lambda: steps.append(1) and None, 1000)
    return_commit.RETURN.apply(connection, returns)
    connection.set_progress_handler(None, 0)
    return len(steps)


def test_saving_returns_costs_the_same_however_many_are_there(connection):
    first = _steps(connection, _returns("20260102030405000000", 300))

    return_commit.RETURN.apply(connection, _returns("20260102030405000001", 20_000))
    later = _steps(connection, _returns("20260102030405000002", 300))

    assert 0 < later < 2 * first
