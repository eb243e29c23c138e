"""Imports between neighbouring plugin files of users, which never shadow a module of Python."""

import importlib
import sys

import pytest

from salt_g.loader.sibling_imports import SiblingImports, forget, importing_beside


@pytest.fixture
def folder(tmp_path):
    """Return a function that makes a folder with these files, below the test's directory."""

    def make(name, **files):
        (tmp_path / name).mkdir(exist_ok=True)
        for stem, text in files.items():
            (tmp_path / name / f"{stem}.py").write_text(text)
        importlib.invalidate_caches()
        return str(tmp_path / name)

    return make


@pytest.fixture(autouse=True)
def no_finder_is_left():
    """Restore the interpreter's finders and modules."""
    finders, names = list(sys.meta_path), set(sys.modules)
    sys.meta_path[:] = [one for one in finders if not isinstance(one, SiblingImports)]
    yield
    sys.meta_path[:] = finders
    for name in set(sys.modules) - names:
        del sys.modules[name]


def test_a_file_beside_the_plugin_is_found_while_it_loads_and_not_later(folder):
    with importing_beside(folder("a", sib_one="VALUE = 1\n", sib_two="VALUE = 2\n"), ()):
        assert importlib.import_module("sib_one").VALUE == 1

    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("sib_two")


def test_libraries_are_found_from_then_on_and_after_the_files_beside(folder):
    library = folder("library", sib_lib="VALUE = 'library'\n", sib_both="VALUE = 'library'\n")
    with importing_beside(folder("a", sib_both="VALUE = 'beside'\n"), [library]):
        assert importlib.import_module("sib_both").VALUE == "beside"

    assert importlib.import_module("sib_lib").VALUE == "library"


def test_a_plugin_never_hides_a_module_of_python(folder):
    with importing_beside(folder("a", colorsys="VALUE = 'mine'\n"), ()):
        assert not hasattr(importlib.import_module("colorsys"), "VALUE")


def test_only_top_level_names_are_looked_for(folder):
    finder = SiblingImports()
    finder.libraries[folder("a", sib_deep="")] = None

    assert finder.find_spec("sib_deep", None) is not None
    assert finder.find_spec("package.sib_deep", ["/somewhere"]) is None
    assert finder.find_spec("sib_nothing", None) is None


def test_changed_files_are_read_again_after_they_were_forgotten(folder):
    place = folder("a", sib_changing="VALUE = 'old text'\n")
    with importing_beside(place, ()):
        importlib.import_module("sib_changing")
    folder("a", sib_changing="VALUE = 'new'\n")

    with importing_beside(place, ()):
        assert importlib.import_module("sib_changing").VALUE == "old text"
        forget()
        assert importlib.import_module("sib_changing").VALUE == "new"


def test_a_module_of_another_origin_is_not_forgotten(folder):
    with importing_beside(folder("a", sib_taken=""), ()):
        importlib.import_module("sib_taken")
    other = sys.modules["sib_taken"] = type(sys)("sib_taken")

    forget()

    assert sys.modules["sib_taken"] is other


def test_there_is_one_finder_however_many_plugins_load(folder):
    for name in ("a", "b"):
        with importing_beside(folder(name), ()):
            pass

    assert sum(isinstance(one, SiblingImports) for one in sys.meta_path) == 1
    assert isinstance(sys.meta_path[-1], SiblingImports)


def test_a_plugin_that_fails_leaves_nothing_beside_it(folder):
    with pytest.raises(ValueError, match="broken"), importing_beside(folder("a", sib_left=""), ()):
        raise ValueError("broken")

    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("sib_left")
