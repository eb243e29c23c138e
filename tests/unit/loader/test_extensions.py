"""Installed extensions serve plugins through the entry-point group `salt.loader`."""

import sys

import pytest

from salt_g.loader import Loader


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Factory: install a distribution with one entry point into a directory of `sys.path`."""
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
