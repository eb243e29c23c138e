"""One directory of keys."""

import contextlib
import errno
import os
import resource
import stat

import pytest

from salt_g.errors import KeysError, KeysUnavailable, WireError
from salt_g.keys.directory import Directory


@pytest.fixture
def directory(tmp_path):
    return Directory(str(tmp_path / "pki" / "minions"))


def test_a_key_comes_back_clean_from_a_private_file(directory):
    before = os.umask(0)
    try:
        directory.write("m1", "  key\r\n")
    finally:
        os.umask(before)

    assert directory.read("m1") == "key"
    assert stat.S_IMODE(os.stat(f"{directory.path}/m1").st_mode) == 0o600
    assert stat.S_IMODE(os.stat(directory.path).st_mode) == 0o700


def test_without_a_directory_there_are_no_keys(directory):
    assert directory.names() == frozenset()
    assert directory.read("m1") is None
    assert "m1" not in directory
    assert not directory.remove("m1")
    assert directory.changed("m1") == 0.0


@pytest.mark.parametrize("id", ["../../etc/passwd", "a/b", "", ".hidden", "a\0b", "..", "x" * 300])
def test_an_id_that_is_a_path_never_reaches_the_disk(directory, id):
    for act in (directory.read, directory.remove, directory.changed, directory.__contains__):
        with pytest.raises(WireError):
            act(id)
    with pytest.raises(WireError):
        directory.write(id, "key")


def test_changes_of_other_programs_are_seen(directory):
    directory.write("m1", "key")
    assert directory.names() == {"m1"}

    os.rename(f"{directory.path}/m1", f"{directory.path}/m2")
    with open(f"{directory.path}/m3", "w") as file:
        file.write("key")

    assert directory.names() == {"m2", "m3"}


def test_a_settled_listing_is_remembered_until_the_directory_changes(directory):
    directory.write("m1", "key")
    os.utime(directory.path, (1, 1))
    first = directory.names()

    assert directory.names() is first
    directory.write("m2", "key")
    assert directory.names() == {"m1", "m2"}


def test_links_are_neither_listed_nor_read(directory, tmp_path, caplog):
    directory.write("m1", "key")
    (tmp_path / "secret").write_text("secret")
    os.symlink(tmp_path / "secret", f"{directory.path}/m2")

    assert directory.names() == {"m1"}
    assert directory.read("m2") == ""
    assert "m2" not in directory


def test_writing_replaces_a_link_and_leaves_its_target(directory, tmp_path):
    directory.write("m1", "key")
    (tmp_path / "target").write_text("mine")
    os.symlink(tmp_path / "target", f"{directory.path}/m2")

    directory.write("m2", "key")

    assert (tmp_path / "target").read_text() == "mine"
    assert directory.read("m2") == "key"


def test_a_directory_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "minions").symlink_to(tmp_path / "elsewhere")
    directory = Directory(str(tmp_path / "minions"))

    with pytest.raises(KeysError, match="is a link or a file, not a directory"):
        directory.names()
    with pytest.raises(KeysError):
        directory.write("m1", "key")


def test_a_malformed_key_file_reads_as_a_key_that_equals_no_other(directory):
    directory.write("long", "x" * 5000)
    directory.write("m1", "key")
    os.mkfifo(f"{directory.path}/fifo")
    os.mkdir(f"{directory.path}/dir")
    with open(f"{directory.path}/binary", "wb") as file:
        file.write(b"\xff\xfe")

    assert [directory.read(id) for id in ("long", "fifo", "dir", "binary")] == ["", "", "", ""]
    assert directory.names() == {"long", "m1", "binary"}


def test_hidden_files_and_odd_names_are_not_ids_and_reported_once(directory, caplog):
    directory.write("m1", "key")
    for name in (".key_cache", "not an id"):
        with open(f"{directory.path}/{name}", "w"):
            pass

    assert directory.names() == {"m1"}
    directory.write("m2", "key")
    assert directory.names() == {"m1", "m2"}
    assert caplog.text.count("'not an id' is not a valid id") == 1


def test_moving_replaces_and_leaves_nothing_behind(directory, tmp_path):
    other = Directory(str(tmp_path / "pki" / "minions_rejected"))
    directory.write("m1", "new")
    other.write("m1", "old")

    directory.move("m1", other)

    assert (directory.read("m1"), other.read("m1")) == (None, "new")
    assert os.listdir(directory.path) == []


def test_a_name_that_is_a_key_no_longer_is_listed_no_longer(directory, tmp_path):
    directory.write("m1", "key")
    directory.write("m2", "key")
    assert directory.names() == {"m1", "m2"}

    directory.remove("m1")
    os.symlink(tmp_path / "elsewhere", os.path.join(directory.path, "m1"))

    assert directory.names() == {"m2"}


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EIO, errno.ENOMEM])
def test_an_unreadable_file_is_neither_a_key_nor_a_missing_one(directory, monkeypatch, number):
    directory.write("m1", "key")

    def fail(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", fail)
    for id in ("m1", "m2"):
        with pytest.raises(KeysUnavailable, match="cannot be read now"):
            directory.read(id)
    monkeypatch.setattr(os, "stat", fail)
    for look in (directory.changed, directory.__contains__):
        with pytest.raises(KeysUnavailable):
            look("m1")
    with pytest.raises(KeysUnavailable):
        directory.names()


def test_without_a_descriptor_nothing_is_removed_or_moved(directory, tmp_path):
    other = Directory(str(tmp_path / "pki" / "minions_rejected"))
    directory.write("m1", "key")
    other.write("m2", "key")

    with no_descriptors():
        for change in (lambda: directory.remove("m1"), lambda: directory.move("m1", other)):
            with pytest.raises(OSError, match="Too many open files"):
                change()

    assert directory.names() == {"m1"}
    assert other.names() == {"m2"}
    assert directory.remove("m1")


@contextlib.contextmanager
def no_descriptors():
    """Let the block run without free file descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
