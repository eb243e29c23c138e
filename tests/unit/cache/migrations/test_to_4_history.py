"""Migration of a file of the third version: the history is added."""

import contextlib
import sqlite3

import pytest

from salt_g.cache.migrations import to_4_history


@pytest.fixture
def connection():
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(to_4_history.SQL)
        yield connection


def test_it_begins_empty(connection):
    assert connection.execute("SELECT bytes FROM history_held").fetchall() == [(0,)]
    assert connection.execute("SELECT * FROM changes").fetchall() == []


@pytest.mark.parametrize(
    ("condition", "index"),
    [
        ("name = 'x' AND at >= 1 ORDER BY at DESC", "changes_name"),
        ("id = 'x' AND at >= 1 ORDER BY at DESC", "changes_id"),
        ("at >= 1 AND cause = 2 ORDER BY at DESC", "changes_at"),
        ("at < 1 ORDER BY at", "changes_at"),
    ],
)
def test_questions_use_an_index(connection, condition, index):
    plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT * FROM changes WHERE {condition}").fetchall()

    assert index in str(plan) and "TEMP B-TREE" not in str(plan)
