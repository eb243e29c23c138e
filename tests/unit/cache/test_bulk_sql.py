"""Multi-row statements in few sizes."""

import contextlib
import sqlite3

import pytest

from salt_g.cache.bulk_sql import found, in_statements, insert, insert_absent


@pytest.fixture
def connection():
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        yield connection


def test_rows_become_one_flat_list():
    assert list(in_statements([(1, 2), (3, 4), (5, 6), (7, 8)])) == [
        ("(?,?),(?,?),(?,?),(?,?)", [1, 2, 3, 4, 5, 6, 7, 8])
    ]


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 31, 255, 256, 257, 600])
def test_every_row_is_covered_once_and_in_order(count):
    statements = list(in_statements([(n,) for n in range(count)]))

    assert [value for _, values in statements for value in values] == list(range(count))
    assert all(places.count("?") == len(values) for places, values in statements)
    assert {len(values) for _, values in statements} <= {256, 32, 4, 1}


def test_many_rows_take_few_statements(connection):
    seen = []
    connection.set_trace_callback(seen.append)

    insert(connection, "t (a, b)", [(n, "x") for n in range(1000)])

    assert len(seen) <= 20
    assert connection.execute("SELECT count(*), sum(a) FROM t").fetchone() == (1000, 499500)


def test_the_rest_of_the_statement_applies_to_all_rows(connection):
    rows = [(n, "old") for n in range(40)]
    insert(connection, "t (a, b)", rows)

    insert(
        connection,
        "t (a, b)",
        [(n, "new") for n in range(38)],
        "ON CONFLICT (a) DO UPDATE SET b = excluded.b",
    )

    assert connection.execute("SELECT b, count(*) FROM t GROUP BY b ORDER BY b").fetchall() == [
        ("new", 38),
        ("old", 2),
    ]


def test_values_are_never_part_of_the_statement(connection):
    insert(connection, "t (a, b)", [(1, "'); DROP TABLE t; --")])

    assert connection.execute("SELECT b FROM t").fetchone() == ("'); DROP TABLE t; --",)


def test_of_several_rows_with_one_key_the_first_is_inserted_unless_it_is_there(connection):
    insert(connection, "t (a, b)", [(1, "old")])

    inserted = insert_absent(
        connection,
        "t",
        {"a": "integer", "b": "text"},
        [(1, "new"), (2, "first"), (2, "second")],
        key_columns=1,
    )

    assert inserted == {(2,)}
    assert list(found(connection, "t", ["a"], [(1,), (2,), (3,)], "b")) == [((1,), "old"), ((2,), "first")]
