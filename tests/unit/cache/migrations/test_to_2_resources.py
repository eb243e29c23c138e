"""Migration of a file of the first version: the table of resources is added."""

import contextlib
import sqlite3

import pytest

from salt_g.cache.migrations import to_1_jobs_and_banks, to_2_resources


@pytest.fixture
def connection():
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(to_1_jobs_and_banks.SQL)
        connection.execute("INSERT INTO entries VALUES ('grains', 'web1', x'80', 1.5, NULL)")
        connection.executescript(to_2_resources.SQL)
        yield connection


def test_the_other_tables_keep_their_rows(connection):
    assert connection.execute("SELECT * FROM entries").fetchall() == [("grains", "web1", b"\x80", 1.5, None)]


def test_an_srn_has_one_row_with_all_fields(connection):
    insert = "INSERT INTO resources (srn, minion, standby, takes_leases, since) VALUES (?, ?, ?, ?, ?)"
    row = ("ssh:a", "web1", b"\x90", 1, 1.5)
    connection.execute(insert, row)

    for wrong in (row, ("ssh:b", None, b"", 0, 0.0), ("ssh:c", "web1", b"", 0, None)):
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute(insert, wrong)

    assert connection.execute("SELECT * FROM resources").fetchall() == [row]
