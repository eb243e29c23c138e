"""Installed extensions, which provide plugins through the entry-point group `salt.loader`."""

import sys

import pytest

from salt_g.loader import Loader
from salt_g.loader.resource_types import ResourceRooms


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Yield a function that installs a distribution with one entry point into a directory of `sys.path`."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(package, entry_point, files):
        for name, text in files.items():
            path = tmp_path / package / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[salt.loader]\n{entry_point}\n")

    yield make
    for name in [name for name in sys.modules if name.startswith("ext_")]:
        del sys.modules[name]


def test_a_package_named_by_an_entry_point_serves_its_folders(install, tmp_path):
    install(
        "ext_one",
        "ext_one = ext_one",
        {"__init__.py": "", "modules/ext_greet.py": "def hello():\n    return 'from the extension'\n"},
    )

    table = Loader({}).table("modules")

    assert table["ext_greet.hello"]() == "from the extension"


def test_a_function_named_like_the_setting_returns_folders(install, tmp_path):
    folder = tmp_path / "ext_two" / "anywhere"
    install(
        "ext_two",
        "module_dirs = ext_two:folders",
        {
            "__init__.py": f"def folders():\n    return [{str(folder)!r}]\n",
            "anywhere/ext_wave.py": "def wave():\n    return 'o/'\n",
        },
    )

    assert Loader({}).table("modules")["ext_wave.wave"]() == "o/"


def test_an_extension_installed_later_is_found(install):
    before = Loader({}).table("modules")
    assert "ext_late.hello" not in before

    install(
        "ext_late",
        "ext_late = ext_late",
        {"__init__.py": "", "modules/ext_late.py": "def hello():\n    return 'late'\n"},
    )

    assert Loader({}).table("modules")["ext_late.hello"]() == "late"


def test_an_extension_brings_a_type_of_resources(install, tmp_path):
    install(
        "ext_three",
        "ext_three = ext_three",
        {"__init__.py": "", "resources/widget/__init__.py": "", "resources/widget/modules/turn.py": ""},
    )

    rooms = ResourceRooms({"cachedir": str(tmp_path)})

    assert next(entry.stem for entry in rooms.connections()) == "widget"
    assert [entry.stem for entry in rooms.room("widget", "modules")] == ["turn"]


def test_a_function_stands_for_the_parents_of_its_folders(install, tmp_path):
    install(
        "ext_four",
        "module_dirs = ext_four:folders",
        {
            "__init__.py": f"def folders():\n    return [{str(tmp_path / 'ext_four' / 'modules')!r}]\n",
            "resources/widget/__init__.py": "",
        },
    )

    rooms = ResourceRooms({"cachedir": str(tmp_path)})

    assert "widget" in [entry.stem for entry in rooms.connections()]


def test_directories_come_in_order_and_files_replace_each_other_as_a_whole(tmp_path):
    for root, files in {
        "one": ["dummy/modules/pkg.py", "dummy/modules/extra.py"],
        "two": ["dummy/__init__.py", "dummy/modules/extra.py"],
    }.items():
        for name in files:
            path = tmp_path / root / "resources" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
    dirs = [str(tmp_path / "one"), str(tmp_path / "two")]

    rooms = ResourceRooms({"cachedir": str(tmp_path), "module_dirs": dirs})
    paths = {entry.stem: entry.path for entry in rooms.room("dummy", "modules")}

    assert rooms.connections()[0].path == str(tmp_path / "two/resources/dummy/__init__.py")
    assert paths["pkg"] == str(tmp_path / "one/resources/dummy/modules/pkg.py")
    assert paths["extra"] == str(tmp_path / "one/resources/dummy/modules/extra.py")
    assert "salt_g/resources/dummy/modules/test.py" in paths["test"]
