"""Common behaviour of all stores: committed reads, bounded writes, steps of long reads."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.errors import StoreBusy


def _stored(store, key, value=1):
    Banks(store).store("bank", key, value).result(10)


def test_a_read_sees_what_was_committed(store):
    _stored(store, "a", {"x": [1, 2]})

    assert Banks(store).fetch("bank", "a") == {"x": [1, 2]}


def test_a_full_queue_refuses_and_reports_its_length(tmp_path):
    store = EmbeddedStore(str(tmp_path), max_entries=2)
    Banks(store).store("bank", "a", 1)
    Banks(store).store("bank", "b", 1)

    with pytest.raises(StoreBusy, match="2 writes are queued already"):
        Banks(store).store("bank", "c", 1)


def test_the_queue_is_bounded_in_bytes(tmp_path):
    store = EmbeddedStore(str(tmp_path), max_bytes=1000)

    with pytest.raises(StoreBusy):
        Banks(store).store("bank", "a", b"x" * 2000)


def test_a_long_read_has_every_row_once(store):
    for number in range(7):
        _stored(store, f"k{number}", number)

    rows = store.pages(
        "SELECT key FROM entries WHERE key > ? AND bank = ? ORDER BY key LIMIT ?", "", "bank", page=3
    )

    assert [key for (key,) in rows] == [f"k{number}" for number in range(7)]


def test_an_unreadable_value_is_missing_and_named(store, caplog):
    assert store.unpacked(b"\xc1", "bank/key") is None
    assert f"bank/key in {store.path} is unreadable and treated as missing" in caplog.text


def test_writes_are_counted(store):
    _stored(store, "a")

    commits, written, failed = store.writes
    assert (commits >= 1, written >= 2, failed) == (True, True, 0)
    assert store.waiting_writes == 0
