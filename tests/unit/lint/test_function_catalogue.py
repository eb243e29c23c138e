"""State functions by name, whether or not this machine can run them."""

import pytest

from salt_g.lint.function_catalogue import FunctionCatalogue
from salt_g.loader import Loader


@pytest.fixture
def functions(tmp_path):
    (tmp_path / "mine.py").write_text("raise SystemExit\ndef present(name):\n    return {}\n")
    return FunctionCatalogue(
        Loader({"cachedir": str(tmp_path), "states_dirs": [str(tmp_path)]}).table("states")
    )


def test_built_in_ones_have_their_functions(functions):
    assert "file.managed" in functions
    assert [function.__name__ for function in functions.variants("file.managed")] == ["managed"]


def test_a_name_that_is_missing_has_a_near_one_of_its_plugin(functions):
    assert "file.manged" not in functions
    assert functions.nearest("file.manged") == ["file.managed"]


def test_files_of_users_are_not_imported(functions):
    assert "mine.present" in functions
    assert functions.variants("mine.present") == []


def test_the_file_of_a_users_function_is_known(functions, tmp_path):
    assert functions.users_file("mine.present") == str(tmp_path / "mine.py")
    assert functions.users_file("file.managed") == ""
    assert functions.users_file("nosuch.fun") == ""


def test_plugins_of_other_systems_are_not_judged(functions):
    assert not functions.is_judged("win_servermanager.installed")
    assert functions.is_judged("nosuch.installed")
