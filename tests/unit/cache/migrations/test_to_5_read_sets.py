"""Migration of a file of the fourth version: the index of what state runs read is added."""

import contextlib
import sqlite3

import pytest

from salt_g.cache.migrations import to_5_read_sets


@pytest.fixture
def connection():
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(to_5_read_sets.SQL)
        yield connection


@pytest.mark.parametrize("condition", ["i.name = 'x'", "i.name >= 'x' AND i.name < 'y'"])
def test_questions_use_indexes(connection, condition):
    sql = (
        "EXPLAIN QUERY PLAN SELECT r.minion FROM read_items i JOIN read_runs r ON r.digest = i.digest"
        f" WHERE {condition}"
    )
    plan = str(connection.execute(sql).fetchall())

    assert "SCAN" not in plan and "read_runs_digest" in plan


def test_the_size_is_read_from_an_index(connection):
    plan = str(connection.execute("EXPLAIN QUERY PLAN SELECT sum(bytes) FROM read_sets").fetchall())

    assert "COVERING INDEX read_sets_last" in plan
