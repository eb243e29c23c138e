"""The writer's thread: one commit for all queued writes, an outcome for each."""

import os
import sqlite3
import threading

import pytest

from salt_g.cache.commit_thread import Writer
from salt_g.cache.operation import OPEN, Operation
from salt_g.cache.sqlite_file import EXAMINE, SqliteFile
from salt_g.cache.thread_futures import ThreadWaiting
from salt_g.errors import StoreBusy, StoreError

#: How long a test waits for a write (s).
SOON = 30


def keep(connection, items):
    """Return a write of (bank, key, data)."""
    connection.executemany("INSERT INTO entries VALUES (?, ?, ?, 0, NULL)", items)
    return [key for _, key, _ in items]


KEEP = Operation("keep", 1, keep)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "cache" / "store.sqlite")


@pytest.fixture
def start(path):
    """Yield a function that starts a writer; all are stopped at the end."""
    writers = []

    def run(**limits):
        writer = Writer(SqliteFile(path), ThreadWaiting(), **limits)
        writer.start()
        writers.append(writer)
        return writer

    yield run
    for writer in writers:
        writer.stop().result(SOON)


@pytest.fixture
def together():
    """Return a function that queues writes for a busy thread, which commits them together.

    It returns the futures.
    """

    def run(writer, *writes):
        begun, may_end = threading.Event(), threading.Event()

        def wait(connection, items):
            begun.set()
            assert may_end.wait(SOON)
            return items

        first = writer.submit(Operation("wait", 0, wait), None, 0)
        assert begun.wait(SOON)
        try:
            futures = [writer.submit(operation, item, 0) for operation, item in writes]
        finally:
            may_end.set()
        first.result(SOON)
        return futures

    return run


def keys(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        found = [key for (key,) in connection.execute("SELECT key FROM entries ORDER BY key")]
    connection.close()
    return found


def test_writes_that_wait_are_committed_together_and_get_their_own_results(start, together, path):
    writer = start()

    futures = together(writer, *[(KEEP, ("b", f"k{n}", b"")) for n in range(100)])

    assert [future.result(SOON) for future in futures] == [f"k{n}" for n in range(100)]
    assert (writer.commits, writer.written, writer.failed) == (2, 101, 0)
    assert len(keys(path)) == 100


def test_a_lane_stays_in_order_and_writes_of_one_kind_are_applied_at_once(start, together):
    applied = []

    def note(name, lane):
        return Operation(name, lane, lambda connection, items: applied.append((name, *items)) or items)

    late, early = note("late", 2), note("early", 1)
    other = note("other", 2)

    futures = together(start(), (late, 1), (early, 2), (other, 3), (early, 4), (late, 5))

    assert [future.result(SOON) for future in futures] == [1, 2, 3, 4, 5]
    assert applied == [("early", 2, 4), ("late", 1), ("other", 3), ("late", 5)]


def test_only_the_write_with_a_bad_value_fails(start, together, path):
    writer = start()
    items = [("b", f"k{n}", b"") for n in range(9)]
    items[5] = ("b", "k5", 2**64)

    futures = together(writer, *[(KEEP, item) for item in items])

    with pytest.raises(StoreError, match="a value cannot be stored"):
        futures[5].result(SOON)
    assert [future.result(SOON) for n, future in enumerate(futures) if n != 5] == [
        f"k{n}" for n in range(9) if n != 5
    ]
    assert keys(path) == [f"k{n}" for n in range(9) if n != 5]
    assert (writer.written, writer.failed) == (9, 1)


@pytest.mark.parametrize("results", [[], [1, 2]])
def test_an_operation_with_a_fault_of_its_own_fails_alone_and_is_taken_back(start, path, results):
    def faulty(connection, items):
        keep(connection, [("b", "half", b"")])
        return results

    writer = start()

    with pytest.raises(StoreError):
        writer.submit(Operation("faulty", 0, faulty), None, 0).result(SOON)

    assert writer.submit(KEEP, ("b", "next", b""), 0).result(SOON) == "next"
    assert keys(path) == ["next"]


def test_an_unexpected_error_is_an_outcome_and_the_thread_goes_on(start, path, caplog):
    def broken(connection, items):
        raise RuntimeError("broken")

    writer = start()

    with pytest.raises(StoreError, match=r"writing failed: RuntimeError\('broken'\)"):
        writer.submit(Operation("broken", 0, broken), None, 0).result(SOON)

    assert writer.submit(KEEP, ("b", "k", b""), 0).result(SOON) == "k"
    assert "can be written again" in caplog.text


def test_a_full_queue_refuses(start, together):
    writer = start(max_entries=2)

    with pytest.raises(StoreBusy, match="2 writes are queued already"):
        together(writer, *[(OPEN, None)] * 3)


def test_queued_writes_are_committed_before_the_end_and_the_file_is_complete(path):
    writer = Writer(SqliteFile(path), ThreadWaiting())
    futures = [writer.submit(KEEP, ("b", key, b""), 0) for key in "ab"]

    ended = writer.stop()
    writer.start()
    ended.result(SOON)

    assert [future.done() for future in futures] == [True, True]
    assert os.listdir(os.path.dirname(path)) == ["store.sqlite"]
    assert keys(path) == ["a", "b"]


def test_a_replaced_file_is_noticed_and_readers_are_notified(start, path, caplog):
    writer = start()
    writer.submit(KEEP, ("b", "lost", b""), 0).result(SOON)
    before = writer.generation
    for part in ("", "-wal", "-shm"):
        os.unlink(path + part)

    writer.submit(KEEP, ("b", "kept", b""), 0).result(SOON)

    assert keys(path) == ["kept"]
    assert writer.generation > before
    assert "was removed or replaced" in caplog.text


def test_examining_finds_no_fault_in_a_sound_file(start):
    writer = start()
    assert writer.submit(EXAMINE, "item", 0).result(SOON) == "item"
    before = writer.generation

    assert writer.submit(EXAMINE, "item", 0).result(SOON) == "item"
    assert writer.generation == before
