"""The store's file: private, permanent, replaced when damaged, optional when it cannot be written."""

import contextlib
import logging
import os
import resource
import sqlite3
import stat

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import FILE_NAME, EmbeddedStore
from salt_g.errors import StoreError, StoreTooNew


class _Reader:
    """A store that is never started: command-line programs only read."""

    def __init__(self, directory):
        self._store = EmbeddedStore(directory)

    def fetch(self, key):
        return Banks(self._store).fetch("bank", key)

    def close(self):
        self._store.stop()


def _stored(store, key, value=1):
    Banks(store).store("bank", key, value).result(10)


def test_files_and_directories_are_private_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        with EmbeddedStore(str(tmp_path / "deep" / "cache")) as store:
            _stored(store, "a")
            modes = {
                os.path.basename(path): stat.S_IMODE(os.stat(path).st_mode)
                for path in (store.path, store.path + "-wal", store.path + "-shm")
            }
    finally:
        os.umask(before)

    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "deep").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "deep" / "cache").stat().st_mode) == 0o700


def test_an_open_file_is_made_private(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        _stored(store, "a")
    os.chmod(store.path, 0o644)

    with EmbeddedStore(str(tmp_path)):
        mode = stat.S_IMODE(os.stat(store.path).st_mode)

    assert mode == 0o600


def test_a_link_in_the_way_is_not_followed(tmp_path, caplog):
    target = tmp_path / "target"
    target.touch()
    (tmp_path / FILE_NAME).symlink_to(target)

    with EmbeddedStore(str(tmp_path)) as store, pytest.raises(StoreError, match="is a link"):
        _stored(store, "a")

    assert target.read_bytes() == b""


def test_queued_writes_are_committed_before_it_stops(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        futures = [Banks(store).store("bank", str(n), n) for n in range(500)]

    assert all(future.done() for future in futures)
    with EmbeddedStore(str(tmp_path)) as store:
        assert len(Banks(store).list("bank")) == 500


def test_a_reader_needs_no_writer(store):
    _stored(store, "a")

    with contextlib.closing(_Reader(os.path.dirname(store.path))) as reader:
        assert reader.fetch("a") == 1


def test_reading_what_is_not_there_says_which_file(tmp_path):
    with pytest.raises(StoreError, match=FILE_NAME):
        Banks(EmbeddedStore(str(tmp_path))).fetch("bank", "a")


def test_a_value_that_cannot_be_kept_does_not_harm_those_beside_it(tmp_path):
    store = EmbeddedStore(str(tmp_path))
    banks = Banks(store)
    futures = [banks.store("bank", str(n), n) for n in range(9)]
    bad = banks.store("bank", "\udcff", 1)
    futures += [banks.store("bank", str(n), n) for n in range(9, 20)]

    with store, pytest.raises(StoreError, match="cannot be stored"):
        bad.result(10)

    assert [future.result(10) for future in futures] == [None] * 20


def test_garbage_is_set_aside_and_a_new_file_begun(tmp_path, caplog):
    (tmp_path / FILE_NAME).write_bytes(b"no database at all" * 1000)

    with EmbeddedStore(str(tmp_path)) as store:
        _stored(store, "a")
        found = Banks(store).fetch("bank", "a")

    aside = [path for path in tmp_path.iterdir() if ".damaged-" in path.name]
    assert found == 1
    assert [path.read_bytes()[:2] for path in aside] == [b"no"]
    assert [record.levelno for record in caplog.records if "is damaged" in record.message] == [logging.ERROR]


def test_a_page_damaged_while_it_is_open_is_set_aside(tmp_path, caplog):
    with EmbeddedStore(str(tmp_path)) as store:
        for n in range(200):
            Banks(store).store("bank", str(n), b"x" * 2000)
        _stored(store, "last")
    size = os.path.getsize(store.path)
    with open(store.path, "r+b") as file:
        # The first pages have the schema, without which nothing can be opened.
        file.seek(size // 2)
        file.write(b"\xee" * (size - size // 2))

    with EmbeddedStore(str(tmp_path)) as store:
        with pytest.raises(StoreError):
            Banks(store).list_all("bank")
        _stored(store, "new")
        found = Banks(store).list("bank")

    assert found == ["new"]
    assert [path.name for path in tmp_path.iterdir() if ".damaged-" in path.name]


def test_a_directory_that_cannot_be_made_is_survived_and_reported_once(tmp_path, caplog):
    place = tmp_path / "cache"
    place.write_text("in the way")

    with EmbeddedStore(str(place)) as store:
        for _ in range(3):
            with pytest.raises(StoreError, match=FILE_NAME):
                _stored(store, "a")
        place.unlink()
        _stored(store, "a")
        found = Banks(store).fetch("bank", "a")

    assert found == 1
    assert [record.levelname for record in caplog.records if record.name.startswith("salt_g.cache")] == [
        "ERROR",
        "WARNING",
    ]


def test_a_full_disk_is_survived_and_loses_nothing_acknowledged(tmp_path, caplog):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept = []
    with EmbeddedStore(str(tmp_path)) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, hard))
        try:
            with pytest.raises(StoreError, match="cannot be written"):
                for n in range(1000):
                    _stored(store, f"{n:04}", b"x" * 3000)
                    kept.append(f"{n:04}")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        _stored(store, "after")
        found = Banks(store).list("bank")

    assert len(kept) > 10
    assert found == [*kept, "after"]


def test_a_file_that_was_removed_is_made_anew(store, caplog):
    _stored(store, "a")
    os.unlink(store.path)

    _stored(store, "b")

    assert Banks(store).list("bank") == ["b"]
    assert "was removed or replaced" in caplog.text


def test_a_file_of_a_newer_version_is_left_alone(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        _stored(store, "a")
    connection = sqlite3.connect(store.path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()

    with pytest.raises(StoreTooNew, match="version 99"):
        EmbeddedStore(str(tmp_path)).start()
    with (
        contextlib.closing(_Reader(str(tmp_path))) as reader,
        pytest.raises(StoreTooNew, match="Start the newer salt-g"),
    ):
        reader.fetch("a")


def test_an_unreadable_entry_counts_as_missing_and_is_logged(store, caplog):
    _stored(store, "a")
    connection = sqlite3.connect(store.path)
    connection.execute("UPDATE entries SET data = x'c1'")
    connection.commit()
    connection.close()

    assert Banks(store).fetch("bank", "a") == {}
    assert Banks(store).list_all("bank") == {}
    assert "bank/a" in caplog.text


def test_stopping_twice_or_without_a_start_is_nothing(tmp_path):
    store = EmbeddedStore(str(tmp_path))
    store.stop()
    store.start()

    store.stop()
    store.stop()

    assert store.waiting_writes == 0


def test_after_a_clean_stop_the_file_alone_has_everything(tmp_path):
    with EmbeddedStore(str(tmp_path / "a")) as store:
        _stored(store, "a", "kept")
        assert Banks(store).fetch("bank", "a") == "kept"

    (tmp_path / "b").mkdir()
    (tmp_path / "b" / FILE_NAME).write_bytes((tmp_path / "a" / FILE_NAME).read_bytes())

    reader = _Reader(str(tmp_path / "b"))
    assert reader.fetch("a") == "kept"
    reader.close()
    assert not (tmp_path / "a" / f"{FILE_NAME}-wal").exists()
