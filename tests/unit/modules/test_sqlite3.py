"""An SQLite database in a file."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import sqlite3


def test_written_rows_are_read_again(tmp_path):
    db = str(tmp_path / "test.db")

    made = sqlite3.modify(db, "CREATE TABLE t(id INT, name TEXT)")
    sqlite3.modify(db, "CREATE INDEX by_name ON t(name)")
    sqlite3.modify(db, "INSERT INTO t VALUES (1, 'a')")
    sqlite3.modify(db, "VACUUM")

    assert made is True
    assert sqlite3.fetch(db, "SELECT * FROM t") == [[1, "a"]]
    assert sqlite3.tables(db) == [["t"]]
    assert sqlite3.indices(db) == sqlite3.indexes(db) == [["by_name"]]


def test_nothing_is_asked_without_a_database():
    assert sqlite3.fetch(None, "SELECT 1") is False


def test_a_wrong_statement_is_reported_with_its_database(tmp_path):
    with pytest.raises(CommandExecutionError, match="test.db: .*syntax error"):
        sqlite3.fetch(str(tmp_path / "test.db"), "SELEKT 1")
