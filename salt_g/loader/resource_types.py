"""Rooms of resource types: the folders of each type and their plugin files.

A type is a package with its own rooms, and several roots may each contain a part of it. Roots, in order of
precedence: `module_dirs`, synced plugins (`extension_modules`), installed extensions, salt-g. A root may
contain `resources/<type>/__init__.py` (the connection module) and
`resources/<type>/{modules,states,grains}/`; without a connection module it extends another root's type.
Source: resources specification, section 4.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.loader.dunders import FunctionMapping, stock_dunders
from salt_g.loader.extensions import extension_roots
from salt_g.loader.index import IndexEntry, read_directory

#: Folder of resource types in a root, and package of the built-in types.
FOLDER, PACKAGE = "resources", "salt_g.resources"
#: Kinds of tables that exist only in calls on resources.
CONNECTIONS, MINION = "resource_funcs", "minion"


class ResourceRooms:
    """Folders of all types, in the order of this minion's settings."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self._opts = opts

    def connections(self) -> list[IndexEntry]:
        """Return the connection module of each type, under the type's name."""
        first: dict[str, IndexEntry] = {}
        for directory, package in self._roots():
            for entry in read_directory(directory, {}, package=package):
                if entry.path.endswith("__init__.py"):
                    first.setdefault(entry.stem, entry)
        return list(first.values())

    def room(self, type: str, name: str) -> list[IndexEntry]:
        """Return the plugin files of one room (`modules`, `states`, `grains`) of a type."""
        first: dict[str, IndexEntry] = {}
        for directory, package in self._roots():
            within = f"{package}.{type}.{name}" if package else None
            for entry in read_directory(os.path.join(directory, type, name), {}, package=within):
                # Files are keyed by name, which is the virtual name unless `__virtualname__` sets another
                # one.
                first.setdefault(entry.stem, entry)
        return list(first.values())

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Return {path: (mtime in ns, size in bytes)} of the source files of users' types."""
        return {
            path: _stamp(path)
            for directory, package in self._roots()
            if package is None
            for folder, _, names in os.walk(directory)
            for path in (os.path.join(folder, name) for name in names if name.endswith(".py"))
        }

    def _roots(self) -> Iterator[tuple[str, str | None]]:
        """Yield (folder of types, its import package if built in)."""
        synced = self._opts.get("extension_modules") or os.path.join(str(self._opts["cachedir"]), "extmods")
        for root in (*(self._opts.get("module_dirs") or ()), synced, *extension_roots("module_dirs")):
            yield os.path.join(str(root), FOLDER), None
        for directory in importlib.import_module(PACKAGE).__path__:
            yield directory, PACKAGE


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def resource_dunders() -> dict[str, Any]:
    """Return the names to bind into users' files of a type: stock's names, and names for resources."""
    return {
        **stock_dunders(),
        "__resource_funcs__": FunctionMapping(CONNECTIONS),
        "__minion__": FunctionMapping(MINION),
    }
