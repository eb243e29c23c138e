"""Rooms of resource types: several roots, the first of which with a file takes precedence."""

import os

import pytest

from salt_g.loader.resource_types import ResourceRooms, resource_dunders


@pytest.fixture
def rooms(tmp_path):
    """Return a function that makes rooms over the roots `first` and `second`, which contain these files."""

    def make(*names):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("def ping():\n    return True\n")
        roots = [str(tmp_path / root) for root in ("first", "second")]
        return ResourceRooms({"cachedir": str(tmp_path / "cache"), "module_dirs": roots})

    return make


def paths(entries, tmp_path):
    return {
        entry.stem: os.path.relpath(entry.path, tmp_path)
        for entry in entries
        if entry.path.startswith(str(tmp_path))
    }


def test_the_first_root_with_a_type_has_its_connection(rooms, tmp_path):
    made = rooms("first/resources/lamp/__init__.py", "second/resources/lamp/__init__.py")

    assert paths(made.connections(), tmp_path) == {"lamp": "first/resources/lamp/__init__.py"}
    assert "ssh" in [entry.stem for entry in made.connections()]


def test_a_root_may_extend_the_type_of_another(rooms, tmp_path):
    made = rooms(
        "second/resources/lamp/__init__.py",
        "second/resources/lamp/modules/power.py",
        "first/resources/lamp/modules/power.py",
        "first/resources/lamp/modules/light.py",
    )

    assert list(paths(made.connections(), tmp_path)) == ["lamp"]
    assert paths(made.room("lamp", "modules"), tmp_path) == {
        "light": "first/resources/lamp/modules/light.py",
        "power": "first/resources/lamp/modules/power.py",
    }
    assert made.room("lamp", "states") == []


def test_synced_types_come_after_those_of_the_settings(rooms, tmp_path):
    made = rooms("cache/extmods/resources/lamp/__init__.py", "second/resources/lamp/__init__.py")

    assert paths(made.connections(), tmp_path) == {"lamp": "second/resources/lamp/__init__.py"}


def test_a_changed_file_of_a_user_changes_the_stamps(rooms, tmp_path):
    made = rooms("first/resources/lamp/__init__.py")
    before = made.stamps()

    (tmp_path / "first/resources/lamp/__init__.py").write_text("")

    assert list(before) == [str(tmp_path / "first/resources/lamp/__init__.py")]
    assert made.stamps() != before


def test_files_of_a_type_have_the_names_of_resources():
    assert {"__resource_funcs__", "__minion__", "__salt__"} <= resource_dunders().keys()
