"""The file of the store: private, no link, opened for one purpose, set aside when damaged."""

import contextlib
import os
import sqlite3
import stat

import pytest

from salt_g.cache import sqlite_file
from salt_g.cache.schema import VERSION
from salt_g.errors import StoreError, StoreTooNew


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "cache" / "store?#%20.sqlite")


def written(path):
    """Open the file for writing, close it, and return the versions."""
    connection, versions = sqlite_file.open_for_writing(path)
    connection.close()
    return versions


def mode_of(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_a_new_file_is_private_and_of_the_newest_version(path):
    umask = os.umask(0)
    try:
        assert written(path) == (0, VERSION)
    finally:
        os.umask(umask)

    assert (mode_of(os.path.dirname(path)), mode_of(path)) == (0o700, 0o600)
    assert written(path) == (VERSION, VERSION)


def test_companion_files_are_private_too(path):
    os.makedirs(os.path.dirname(path))
    open(path, "w").close()
    os.chmod(path, 0o666)

    with contextlib.closing(sqlite_file.open_for_writing(path)[0]) as connection:
        connection.execute("INSERT INTO entries VALUES ('b', 'k', x'', 0, NULL)")
        assert {mode_of(path + part) for part in ("", "-wal", "-shm")} == {0o600}


def test_a_link_is_refused_and_its_target_not_changed(path, tmp_path):
    (tmp_path / "target").touch(mode=0o644)
    os.makedirs(os.path.dirname(path))
    os.symlink(tmp_path / "target", path)

    with pytest.raises(StoreError, match="is a link"):
        sqlite_file.open_for_writing(path)

    assert ((tmp_path / "target").stat().st_size, mode_of(tmp_path / "target")) == (0, 0o644)


def test_a_reader_finds_the_file_whatever_its_name_and_cannot_write(path):
    written(path)

    with contextlib.closing(sqlite_file.open_for_reading(path)) as connection:
        assert connection.execute("SELECT count(*) FROM jobs").fetchone() == (0,)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM jobs")


def test_a_reader_does_not_make_a_file(path, tmp_path):
    (tmp_path / "cache").mkdir()

    with pytest.raises(sqlite3.OperationalError):
        sqlite_file.open_for_reading(path)

    assert os.listdir(tmp_path / "cache") == []


@pytest.mark.parametrize("open_it", [sqlite_file.open_for_writing, sqlite_file.open_for_reading])
def test_a_newer_file_is_refused_and_not_held(path, open_it):
    written(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = len(os.listdir("/proc/self/fd"))

    with pytest.raises(StoreTooNew):
        open_it(path)

    assert len(os.listdir("/proc/self/fd")) == before


def test_garbage_is_damage_and_a_locked_or_missing_file_is_not(path, tmp_path):
    (tmp_path / "cache").mkdir()
    with open(path, "wb") as file:
        file.write(b"no database" * 1000)

    with pytest.raises(sqlite3.DatabaseError) as garbage:
        sqlite_file.open_for_writing(path)
    with pytest.raises(sqlite3.DatabaseError) as missing:
        sqlite_file.open_for_reading(path + "x")

    assert sqlite_file.is_damage(garbage.value)
    assert not sqlite_file.is_damage(missing.value)
    assert not sqlite_file.is_damage(sqlite3.IntegrityError())


def test_damaged_files_of_one_second_get_names_of_their_own(path, tmp_path):
    (tmp_path / "cache").mkdir()
    names = []
    for content in ("one", "two", "three"):
        for part in ("", "-wal"):
            with open(path + part, "w") as file:
                file.write(content + part)
        names.append(sqlite_file.set_aside(path, 1_000_000_000.9))

    assert names == [f"{path}.damaged-20010909014640{more}" for more in ("", "-1", "-2")]
    for name, content in zip(names, ("one", "two", "three"), strict=True):
        for part in ("", "-wal"):
            with open(name + part) as file:
                assert file.read() == content + part
    assert len(os.listdir(tmp_path / "cache")) == 6
