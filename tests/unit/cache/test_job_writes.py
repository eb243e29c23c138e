"""Write operations for jobs: expected minions and pruning, in a file of SQLite."""

import pytest

from salt_g.cache import job_writes
from salt_g.cache.return_commit import RETURN
from salt_g.cache.sqlite_file import open_for_writing
from salt_g.wire.packing import pack_bus, unpack

JIDS = [f"2026010203040500000{n}" for n in range(4)]


@pytest.fixture
def connection(tmp_path):
    connection, _ = open_for_writing(str(tmp_path / "store"))
    yield connection
    connection.close()


def expected(connection):
    rows = connection.execute("SELECT jid, source, ids FROM expected ORDER BY jid, source").fetchall()
    return {(jid, source): unpack(ids) for jid, source, ids in rows}


def jids(connection, table):
    return [row[0] for row in connection.execute(f"SELECT jid FROM {table} ORDER BY jid")]


def test_a_later_list_of_expected_minions_adds_to_the_earlier_one_of_its_source(connection):
    lists = [(JIDS[0], "", ["m2", "m1"]), (JIDS[0], "syndic", ["m9"]), (JIDS[0], "", ["m3", "m1"])]

    assert job_writes.EXPECTED.apply(connection, lists) == [None] * 3

    assert expected(connection) == {(JIDS[0], ""): ["m1", "m2", "m3"], (JIDS[0], "syndic"): ["m9"]}


def test_an_unreadable_list_is_replaced(connection):
    connection.execute("INSERT INTO expected VALUES (?, ?, ?)", (JIDS[0], "", b"\xc1"))

    job_writes.EXPECTED.apply(connection, [(JIDS[0], "", ["m1"])])

    assert expected(connection) == {(JIDS[0], ""): ["m1"]}


def test_pruning_removes_the_oldest_jobs_with_all_their_rows(connection):
    load = pack_bus({"fun": "test.ping"})
    job_writes.LOAD.apply(connection, [(jid, "test.ping", load) for jid in JIDS[1:]])
    job_writes.EXPECTED.apply(connection, [(jid, "", ["m1"]) for jid in JIDS[1:]])
    RETURN.apply(connection, [(jid, "m1", b"\x80") for jid in JIDS])

    assert job_writes.PRUNE.apply(connection, [(JIDS[2], 0)]) == [2]

    # The first one had a return only.
    assert [jids(connection, table) for table in ("jobs", "expected", "returns")] == [JIDS[2:]] * 3
    assert job_writes.PRUNE.apply(connection, [(JIDS[2], 0)]) == [0]


def test_a_job_that_a_minion_ran_on_its_own_is_removed_within_its_span_only(connection):
    job_writes.LOAD.apply(connection, [(jid, "test.ping", b"\x80") for jid in JIDS])
    job_writes.EXPECTED.apply(connection, [(jid, "own m1", ["m1"]) for jid in JIDS[:3]])
    job_writes.EXPECTED.apply(connection, [(JIDS[3], "", ["m1"])])

    assert job_writes.REMOVE_OWN.apply(connection, [("own m1", JIDS[1], JIDS[3])]) == [2]

    assert jids(connection, "jobs") == [JIDS[0], JIDS[3]]
