"""Sync of users' plugins from the environments of the file server: selection, destination, removal."""

import os

import pytest

from salt_g.errors import InvocationError
from salt_g.plugin_sync import limits_of, sync_form, unloaded_plugins


class Environments:
    """Files by environment, each below one directory."""

    def __init__(self, root):
        self.root = root

    def add(self, saltenv, name, text=""):
        path = self.root / saltenv / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def list_files(self, saltenv, prefix=""):
        top = self.root / saltenv
        return sorted(str(path.relative_to(top)) for path in top.rglob("*") if path.is_file())

    def cache_file(self, url, saltenv):
        return str(self.root / saltenv / url.removeprefix("salt://"))


@pytest.fixture
def files(tmp_path):
    return Environments(tmp_path / "environments")


@pytest.fixture
def sync(files, tmp_path):
    """Return a function that synchronizes `modules` from base and dev, and returns what was written."""
    return lambda **options: sync_form(
        "modules", ["base", "dev"], files=files, top=str(tmp_path / "mods"), **options
    )


def below(tmp_path):
    return sorted(str(path.relative_to(tmp_path / "mods")) for path in (tmp_path / "mods").rglob("*.py"))


def test_plugins_of_all_environments_are_written_once(sync, files, tmp_path):
    files.add("base", "_modules/one.py")
    files.add("dev", "_modules/pack/__init__.py")
    files.add("base", "_modules/__pycache__/one.pyc")
    files.add("base", "_states/other.py")

    assert sync() == ["modules.one", "modules.pack.__init__"]
    assert below(tmp_path) == ["one.py", "pack/__init__.py"]
    assert sync() == []


def test_a_later_environment_wins_and_changes_are_written(sync, files, tmp_path):
    files.add("base", "_modules/one.py", "base")
    files.add("dev", "_modules/one.py", "dev")
    sync()
    assert (tmp_path / "mods" / "one.py").read_text() == "dev"

    files.add("dev", "_modules/one.py", "changed")

    assert sync() == ["modules.one"]
    assert (tmp_path / "mods" / "one.py").read_text() == "changed"


def test_plugins_that_are_gone_are_removed_unless_they_shall_stay(sync, files, tmp_path):
    files.add("base", "_modules/pack/one.py")
    sync()
    os.unlink(files.root / "base" / "_modules" / "pack" / "one.py")

    sync(cleans=False)
    assert below(tmp_path) == ["pack/one.py"]
    sync()
    assert not (tmp_path / "mods").exists()


@pytest.mark.parametrize(
    ("limits", "written"),
    [
        ({"whitelist": {"modules": ["one"]}}, ["one.py"]),
        ({"whitelist": {"modules": "one,pack.three"}}, ["one.py", "pack/three.py"]),
        ({"whitelist": {"modules": []}}, []),
        ({"whitelist": {"states": ["one"]}}, ["one.py", "pack/three.py", "two.py"]),
        ({"blacklist": {"modules": ["one", "two"]}}, ["pack/three.py"]),
    ],
)
def test_lists_permit_or_refuse_plugins_by_name(sync, files, tmp_path, limits, written):
    for name in ("one.py", "two.py", "pack/three.py"):
        files.add("base", f"_modules/{name}")

    sync(**limits)

    assert below(tmp_path) == written


def test_plugins_of_a_kind_that_nothing_loads_are_named_and_not_copied(files, tmp_path, caplog):
    for number in range(7):
        files.add("base", f"_thorium/r{number}.py")

    assert sync_form("thorium", ["base"], files=files, top=str(tmp_path / "thorium")) == []

    named = ", ".join(f"_thorium/r{number}.py" for number in range(5))
    assert not (tmp_path / "thorium").exists()
    assert f"({named}, ...)" in caplog.text
    assert unloaded_plugins("modules", ["base"], files) == ""


@pytest.mark.parametrize(
    ("given", "setting", "expected"),
    [
        (None, {"modules": ["a"]}, {"modules": ["a"]}),
        (None, None, None),
        ("a,b", {"modules": ["c"]}, {"modules": ["a", "b"]}),
        ({"states": ["a"]}, None, {"states": ["a"]}),
    ],
)
def test_an_argument_wins_over_the_setting(given, setting, expected):
    assert limits_of("modules", given, setting) == expected


def test_an_argument_of_another_kind_is_refused():
    with pytest.raises(InvocationError, match="a list of plugins must be text"):
        limits_of("modules", ["a"], None)
