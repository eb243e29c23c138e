"""The real rsync, between directories of the test."""

import pytest


@pytest.fixture
def machine(salt_g, need):
    need("rsync")
    return salt_g


def synchronized(machine, target, source, *more):
    return machine.state("rsync.synchronized", target, f"source={source}", *more)


def test_a_directory_becomes_a_copy_and_stays_one(machine):
    source, target = machine.root / "source", machine.root / "target"
    machine.write({"a/one.txt": "1", "two.txt": "2"}, below=source)

    missing = synchronized(machine, target, f"{source}/")
    preview = synchronized(machine, target, f"{source}/", "prepare=True", "test=True")
    is_untouched = not target.exists()
    first = synchronized(machine, target, f"{source}/", "prepare=True")
    again = synchronized(machine, target, f"{source}/")

    assert missing["comment"] == f"Destination directory {target} was not found."
    assert preview["result"] is None
    assert is_untouched
    assert first["changes"]["copied"].splitlines()[-1] == "two.txt"
    assert first["changes"]["deleted"] == "N/A"
    assert (target / "a/one.txt").read_text() == "1"
    assert again["changes"] == {}
    assert again["comment"].startswith("- sent ")


def test_files_missing_in_the_source_are_deleted_and_excluded_ones_not_copied(machine):
    source, target = machine.root / "source", machine.root / "target"
    machine.write({"keep": "1", "secret.key": "2"}, below=source)
    machine.write({"old": "3"}, below=target)

    result = synchronized(machine, target, f"{source}/", "delete=True", "exclude=['*.key']")

    assert result["changes"]["deleted"] == "old"
    assert sorted(path.name for path in target.iterdir()) == ["keep"]


def test_a_tree_of_the_file_server_is_copied(machine):
    machine.write({"tree/in/file": "x"})
    target = machine.root / "target"
    target.mkdir()

    finished = machine("rsync.rsync", "salt://tree", str(target)).value

    assert finished["retcode"] == 0
    assert (target / "tree/in/file").read_text() == "x"


def test_a_missing_source_is_reported_with_rsync_s_words(machine):
    target = machine.root / "target"
    target.mkdir()

    result = synchronized(machine, target, str(machine.root / "nosuch"))

    assert result["result"] is False
    assert "No such file or directory" in result["comment"]
    assert machine("rsync.version").value[0].isdigit()
