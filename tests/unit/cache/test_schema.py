"""Upgrades of older files to newer tables, step by step."""

import contextlib
import sqlite3

import pytest

from salt_g.cache.schema import STEPS, migrate
from salt_g.errors import StoreTooNew


@pytest.fixture
def connection():
    """Yield an empty database in memory."""
    with contextlib.closing(sqlite3.connect(":memory:")) as opened:
        yield opened


def _version(connection):
    return connection.execute("PRAGMA user_version").fetchone()[0]


def test_an_empty_file_gets_all_tables(connection):
    migrate(connection, "x")

    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {"jobs", "expected", "returns", "entries", "held"} <= tables
    assert _version(connection) == len(STEPS)


def test_an_older_file_keeps_its_rows_and_takes_the_missing_steps(connection):
    migrate(connection, "x", ["CREATE TABLE one (a);"])
    connection.execute("INSERT INTO one VALUES (7)")
    connection.commit()

    migrate(connection, "x", ["never again", "ALTER TABLE one ADD COLUMN b DEFAULT 8;"])

    assert connection.execute("SELECT a, b FROM one").fetchall() == [(7, 8)]
    assert _version(connection) == 2


def test_a_step_that_fails_changes_nothing(connection):
    with pytest.raises(sqlite3.Error):
        migrate(connection, "x", ["CREATE TABLE one (a); CREATE TABLE one (a);"])
    connection.rollback()

    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    assert _version(connection) == 0


def test_a_newer_file_is_refused(connection):
    connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")

    with pytest.raises(StoreTooNew, match="newer salt-g"):
        migrate(connection, "the/file")
