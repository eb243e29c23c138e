"""Migration of a file of the second version: the mailbox is added."""

import contextlib
import sqlite3

import pytest

from salt_g.cache.migrations import to_1_jobs_and_banks, to_2_resources, to_3_mail


@pytest.fixture
def connection():
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(to_1_jobs_and_banks.SQL + to_2_resources.SQL)
        connection.execute("INSERT INTO entries VALUES ('grains', 'web1', x'80', 1.5, NULL)")
        connection.executescript(to_3_mail.SQL)
        yield connection


def test_the_other_tables_keep_their_rows(connection):
    assert connection.execute("SELECT * FROM entries").fetchall() == [("grains", "web1", b"\x80", 1.5, None)]


def test_a_minion_has_one_row_for_each_order(connection):
    insert = "INSERT INTO mail (minion, order_id, jid) VALUES (?, ?, ?)"
    connection.execute(insert, ("web1", "1", ""))
    connection.execute(insert, ("web1", "2", ""))

    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(insert, ("web1", "1", "x"))


def test_looking_for_returns_reads_sent_letters_only(connection):
    sql = "EXPLAIN QUERY PLAN SELECT minion FROM mail m JOIN returns r ON r.jid = m.jid WHERE m.jid <> ''"

    assert "mail_sent" in str(connection.execute(sql).fetchall())
