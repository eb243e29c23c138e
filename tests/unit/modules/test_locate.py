"""`locate` with its own database of a small tree."""

import shutil
import subprocess

import pytest

from salt_g.modules import cmd, locate


@pytest.fixture
def database(call_context, tmp_path):
    """Return a database of a directory with a few files."""
    updatedb = shutil.which("updatedb")
    if not shutil.which("locate") or not updatedb:
        pytest.skip("locate is not installed")
    call_context(functions={"cmd.run_all": cmd.run_all})
    tree = tmp_path / "tree"
    (tree / "needle").mkdir(parents=True)
    for name in ("one.txt", "needle.txt", "needle/ONE.txt"):
        (tree / name).touch()
    made = tmp_path / "database"
    command = [updatedb, "-l", "0", "-U", str(tree), "-o", str(made), "--prunepaths", "", "--prunefs", ""]
    subprocess.run(command, check=True)
    return str(made)


def _names(found):
    return sorted(path.rpartition("tree/")[2] for path in found)


def test_paths_are_found_in_a_database(database):
    assert _names(locate.locate("tree/needle", database)) == ["needle", "needle.txt", "needle/ONE.txt"]
    assert _names(locate.locate("needle", database, basename=True)) == ["needle", "needle.txt"]
    assert len(locate.locate("tree", database, limit=2)) == 2


def test_options_are_those_of_the_program(database):
    assert locate.locate("tree/needle", database, count=True) == ["3"]
    assert _names(locate.locate("/one.txt", database, ignore=True)) == ["needle/ONE.txt", "one.txt"]
    assert _names(locate.locate("tree/o.*t$", database, regex=True)) == ["one.txt"]
    assert locate.locate("tree/needle", database, follow=True, wholename=True, count=True) == ["3"]


def test_a_pattern_is_never_an_option(database):
    assert locate.locate("--version", database) == []


def test_an_unreadable_database_is_reported(database):
    assert locate.locate("x", database + "-nosuch")[0].endswith("No such file or directory")


def test_statistics_are_numbers_by_what_they_count(programs):
    programs({"locate -S": "Database /var/lib/mlocate/mlocate.db:\n\t9,616 directories\n\t1 bytes used\n"})

    assert locate.stats() == {
        "database": "/var/lib/mlocate/mlocate.db",
        "directories": "9,616",
        "bytes used": "1",
    }


def test_the_database_is_updated(programs):
    assert programs({"updatedb": "done\n"}).lines == []
    assert locate.updatedb() == ["done"]


def test_the_module_needs_its_program(installed, monkeypatch):
    monkeypatch.setattr("salt_g.process.command.SYSTEM_DIRECTORIES", ())
    installed()

    assert locate.__virtual__()[1].endswith("On Debian it is in the package 'plocate'.")
