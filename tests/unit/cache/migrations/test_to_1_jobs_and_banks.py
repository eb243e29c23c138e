"""The tables of the first version, and the bytes that its triggers count."""

import contextlib
import sqlite3

import pytest

from salt_g.cache.migrations import to_1_jobs_and_banks

JOB = "INSERT INTO jobs VALUES ('1', 'test.ping', zeroblob(10), NULL)"


@pytest.fixture
def connection():
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(to_1_jobs_and_banks.SQL)
        yield connection


def held(connection):
    ((held,),) = connection.execute("SELECT bytes FROM held").fetchall()
    return held


@pytest.mark.parametrize(
    ("insert", "update", "delete"),
    [
        (JOB, "UPDATE jobs SET load = zeroblob(30)", "DELETE FROM jobs"),
        (
            "INSERT INTO expected VALUES ('1', 'm', zeroblob(10))",
            "UPDATE expected SET ids = zeroblob(30)",
            "DELETE FROM expected",
        ),
        (
            "INSERT INTO returns VALUES ('1', 'web1', zeroblob(10))",
            "UPDATE returns SET data = zeroblob(30)",
            "DELETE FROM returns",
        ),
    ],
)
def test_the_size_of_jobs_includes_an_overhead_for_each_row(connection, insert, update, delete):
    counted = [held(connection)]
    for statement in (insert, update, delete):
        connection.execute(statement)
        counted.append(held(connection))

    assert counted == [0, 110, 130, 0]


def test_a_row_that_replaces_another_counts_once(connection):
    connection.execute(JOB)

    connection.execute(
        "INSERT INTO jobs VALUES ('1', 'x', zeroblob(50), 1.5)"
        " ON CONFLICT (jid) DO UPDATE SET load = excluded.load, ended = excluded.ended"
    )

    assert held(connection) == 150


def test_a_write_that_is_taken_back_does_not_count(connection):
    connection.execute("BEGIN")
    connection.execute(JOB)
    connection.execute("ROLLBACK")

    assert held(connection) == 0


@pytest.mark.parametrize(
    "twice",
    [
        JOB,
        "INSERT INTO expected VALUES ('1', 'm', x'')",
        "INSERT INTO returns VALUES ('1', 'web1', x'')",
        "INSERT INTO entries VALUES ('b', 'k', x'', 0, NULL)",
    ],
)
def test_a_key_exists_once(connection, twice):
    connection.execute(twice)

    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(twice)
