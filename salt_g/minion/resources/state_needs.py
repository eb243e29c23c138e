"""Requirements of a state function, determined from its module's source without calling it.

Without this check, a state that uses local files, or a function that a type lacks, would fail halfway, and
perhaps act on the managing minion.
Shapes: `StateNeeds.of(entry, "running")` returns the execution functions that the state names, and its direct
access to the machine (`os.rename`, `shutil`); functions of the same plugin that it uses are included.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from salt_g.loader.index import IndexEntry

#: Modules that act on the machine where they run.
_MACHINE = frozenset(
    ("fcntl", "glob", "grp", "pathlib", "pwd", "shutil", "socket", "subprocess", "tempfile")
    + ("salt_g.process.command", "salt_g.process.disk", "salt.utils.files")
)
#: Parts of `os` that neither change nor open anything.
_HARMLESS = frozenset(("curdir", "fspath", "linesep", "pardir", "path", "pathsep", "sep"))


class Needs(NamedTuple):
    """Requirements of a state: `functions` in source order, and direct machine access (`touches`)."""

    functions: tuple[str, ...]
    touches: tuple[str, ...]


class _Part(NamedTuple):
    """Top-level function or class of a plugin."""

    functions: tuple[str, ...]
    touches: tuple[str, ...]
    names: frozenset[str]


class StateNeeds:
    """Analyser of the requirements of states, which parses each plugin once."""

    def __init__(self) -> None:
        self._plugins: dict[str, dict[str, _Part]] = {}
        self._needs: dict[tuple[str, str], Needs] = {}

    def of(self, entry: IndexEntry, function: str) -> Needs:
        """Return the requirements of one state function of a plugin file."""
        if entry.path not in self._plugins:
            self._plugins[entry.path] = _parts_of(_sources(entry.path))
        key = (entry.path, function)
        if key not in self._needs:
            self._needs[key] = _closure(self._plugins[entry.path], function)
        return self._needs[key]


def _closure(parts: dict[str, _Part], function: str) -> Needs:
    functions: dict[str, None] = {}
    touches: dict[str, None] = {}
    waiting, seen = [function], {function}
    while waiting:
        part = parts.get(waiting.pop(0))
        if part is None:
            continue
        functions.update(dict.fromkeys(part.functions))
        touches.update(dict.fromkeys(part.touches))
        further = sorted(part.names - seen)
        waiting += further
        seen.update(further)
    return Needs(tuple(functions), tuple(touches))


def _sources(path: str) -> Iterator[str]:
    if os.path.basename(path) != "__init__.py":
        yield path
        return
    folder = os.path.dirname(path)
    yield from (os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".py"))


def _parts_of(paths: Iterable[str]) -> dict[str, _Part]:
    parts: dict[str, _Part] = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        machine = set(_machine_names(tree))
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                parts[node.name] = _part(node, machine)
    return parts


def _machine_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names under which a file imports modules or functions that access the machine."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.asname or alias.name for alias in node.names if alias.name in _MACHINE)
        elif isinstance(node, ast.ImportFrom):
            whole = node.module in _MACHINE
            yield from (
                alias.asname or alias.name
                for alias in node.names
                if whole or f"{node.module}.{alias.name}" in _MACHINE
            )


def _part(node: ast.AST, machine: set[str]) -> _Part:
    functions: dict[str, None] = {}
    touches: dict[str, None] = {}
    names = set()
    for below in ast.walk(node):
        if isinstance(below, ast.Name):
            names.add(below.id)
            if below.id in machine:
                touches[below.id] = None
        elif isinstance(below, ast.Attribute):
            names.add(below.attr)
            if isinstance(below.value, ast.Name) and below.value.id == "os" and below.attr not in _HARMLESS:
                touches[f"os.{below.attr}"] = None
        named = _function_named(below)
        if named:
            functions[named] = None
    return _Part(tuple(functions), tuple(touches), frozenset(names))


def _function_named(node: ast.AST) -> str:
    """Return the execution function in `call("pkg.install", …)` or `__salt__["pkg.install"]`."""
    found: ast.expr | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "call":
        found = node.args[0] if node.args else None
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "__salt__":
        found = node.slice
    text = found.value if isinstance(found, ast.Constant) else None
    return text if isinstance(text, str) and "." in text else ""
