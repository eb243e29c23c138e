"""One plugin file: its names, its public functions, and reasons for not being available."""

import types

import pytest

from salt_g.loader.index import IndexEntry, read_directory
from salt_g.loader.plugin import load, public_functions


@pytest.fixture
def loaded(tmp_path):
    """Return a function that loads a user's plugin with this text."""

    def make(text, **dunders):
        (tmp_path / "mine.py").write_text(text)
        (entry,) = read_directory(str(tmp_path), {}, package=None)
        assert isinstance(entry, IndexEntry)
        return load(entry, dunders, kind="modules")

    return make


def test_a_file_serves_its_functions_under_its_name(loaded):
    plugin = loaded("def ping():\n    return 1\ndef _hidden():\n    pass\nclass Thing:\n    pass\n")

    assert (plugin.name, plugin.reason, sorted(plugin.functions)) == ("mine", "", ["ping"])


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("__virtualname__ = 'other'\n", "other", ""),
        ("__virtualname__ = 'other'\ndef __virtual__():\n    return True\n", "other", ""),
        ("def __virtual__():\n    return 'third'\n", "third", ""),
        ("def __virtual__():\n    return (False, 'needs a moon')\n", "mine", "needs a moon"),
        ("def __virtual__():\n    return False\n", "mine", "its __virtual__ returned False"),
        ("def __virtual__():\n    return None\n", "mine", "its __virtual__ returned None"),
        ("def __virtual__():\n    return ''\n", "mine", "its __virtual__ returned ''"),
        ("def __virtual__():\n    return ()\n", "mine", "cannot be loaded"),
        ("def __virtual__():\n    return (False,)\n", "mine", "cannot be loaded"),
    ],
)
def test_virtual_says_the_name_or_the_reason(loaded, text, name, reason):
    plugin = loaded(text + "def ping():\n    return 1\n")

    assert plugin.name == name
    assert reason in plugin.reason and bool(plugin.reason) == bool(reason)
    assert bool(plugin.functions) != bool(reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def (:\n", "line 1: invalid syntax"),
        ("import no_such_module_here\n", "ModuleNotFoundError: No module named 'no_such_module_here'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(2)\n", "SystemExit: 2"),
        (
            "__func_alias__ = ['x']\ndef x():\n    pass\n",
            "AttributeError: 'list' object has no attribute 'get'",
        ),
        ("__all__ = 5\ndef x():\n    pass\n", "TypeError: argument of type 'int' is not iterable"),
    ],
)
def test_a_file_that_cannot_be_imported_is_the_reason(loaded, text, reason):
    plugin = loaded(text)

    assert (plugin.module, plugin.functions) == (None, {})
    assert plugin.reason.endswith(f"mine.py cannot be loaded: {reason}")


def test_names_are_bound_before_the_file_runs(loaded):
    plugin = loaded("FOUND = __salt__\ndef get():\n    return FOUND\n", __salt__="table")

    assert plugin.functions["get"]() == "table"


def test_names_are_bound_again_where_a_file_has_assigned_to_them(loaded):
    """Files assign to them for linters and for their own tests; stock's loader replaces these values."""
    plugin = loaded(
        "__salt__ = {}\n__opts__ = {}\ndef get():\n    return __salt__['x'], __opts__['id']\n",
        __salt__={"x": 1},
        __opts__={"id": "m1"},
    )

    assert plugin.functions["get"]() == (1, "m1")


def test_settings_of_a_file_stay_above_those_of_the_minion(loaded):
    text = "__opts__ = {'a': 1}\ndef get():\n    return __opts__['a'], __opts__['id']\n"

    assert loaded(text, __opts__={"id": "m1", "a": 2}).functions["get"]() == (1, "m1")


def test_a_file_prepares_itself_with_the_settings_before_virtual(loaded):
    text = (
        "def __init__(opts):\n    global NAME\n    NAME = opts['id']\ndef __virtual__():\n    return NAME\n"
    )

    assert loaded(text, __opts__={"id": "m1"}).name == "m1"
    failing = loaded("def __init__(opts):\n    opts['no']\ndef ping():\n    pass\n", __opts__={})
    assert failing.reason.endswith("mine.py cannot be loaded: KeyError: 'no'")


def _module(**parts):
    module = types.ModuleType("mine")
    vars(module).update(parts)
    return module


def _function(name, module="mine"):
    def function():
        """Return nothing."""

    function.__name__, function.__module__ = name, module
    return function


def test_public_names_follow_alias_and_all():
    own, imported = _function("own"), _function("imported", "elsewhere")
    module = _module(list_=_function("list_"), own=own, imported=imported, __func_alias__={"list_": "list"})

    assert sorted(public_functions(module, is_ours=True)) == ["list", "own"]
    assert sorted(public_functions(module, is_ours=False)) == ["list", "own"]
    assert sorted(public_functions(module, is_ours=False, kind="utils")) == ["imported", "list", "own"]
    module.__all__ = ["imported"]
    assert public_functions(module, is_ours=False) == {}
    assert sorted(public_functions(module, is_ours=True)) == ["imported"]
