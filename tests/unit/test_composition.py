"""Composition of daemons in one pass: parts get their dependencies in the constructor."""

import ast
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]
DAEMONS = [ROOT / "salt_g/master/daemon.py", ROOT / "salt_g/minion/daemon.py"]
GROUPS = sorted((ROOT / "salt_g/master/composition").glob("*.py"))


def _late_attributes(text):
    """Return the attributes that a class first assigns outside of its `__init__`."""
    late = []
    for cls in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)):
        methods = {node.name: node for node in cls.body if isinstance(node, ast.FunctionDef)}
        first = set(_assigned(methods["__init__"])) if "__init__" in methods else set()
        for method in methods.values():
            late += [f"{cls.name}.{name}" for name in _assigned(method) if name not in first]
    return late


def _assigned(function):
    for node in ast.walk(function):
        is_stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if is_stored and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


@pytest.mark.parametrize("path", DAEMONS, ids=lambda path: path.parent.name)
def test_a_daemon_has_all_attributes_from_its_constructor(path):
    assert _late_attributes(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", GROUPS, ids=lambda path: path.stem)
def test_groups_of_parts_are_frozen(path):
    classes = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]

    assert all(
        [ast.unparse(one) for one in cls.decorator_list] == ["dataclass(frozen=True)"] for cls in classes
    )


@pytest.mark.parametrize("path", GROUPS, ids=lambda path: path.stem)
def test_no_part_is_completed_after_its_constructor(path):
    stored = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]

    assert stored == []


def test_the_search_finds_a_late_attribute():
    text = "class Part:\n def __init__(self):\n  self.a = 1\n def attach(self, b):\n  self.b = b"

    assert _late_attributes(text) == ["Part.b"]
