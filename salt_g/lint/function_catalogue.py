"""Catalogue of state or execution functions by name, including those that this machine cannot run.

Built-in plugins are imported without a call of `__virtual__`; users' files are only read as text.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import salt_g.loader.other_platforms as other_platforms
from salt_g.loader.index import IndexEntry
from salt_g.loader.plugin import public_functions
from salt_g.loader.table import FunctionTable

Function = Callable[..., Any]


class FunctionCatalogue:
    """The functions of one kind that a tree can use; `names` are found in the source texts of plugins."""

    def __init__(self, table: FunctionTable) -> None:
        self._entries = table.entries
        self.names = table.known_names()
        self._functions: dict[str, dict[str, Function]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.names or any(
            entry.package is None and name.partition(".")[0] in (entry.stem, *entry.names)
            for entry in self._entries
        )

    def is_judged(self, name: str) -> bool:
        """Return whether a missing name is an error, which it is not if its plugin is of another platform."""
        return other_platforms.system_of(name.partition(".")[0]) is None

    def nearest(self, name: str) -> list[str]:
        """Return the most similar name, from the same plugin if it is known; [] if none is similar."""
        import difflib

        plugin = f"{name.partition('.')[0]}."
        own = [known for known in self.names if known.startswith(plugin)]
        return difflib.get_close_matches(name, own or self.names, n=1, cutoff=0.6)

    def users_file(self, name: str) -> str:
        """Return the path of the user's plugin that serves a function, or '' if a built-in one does."""
        plugin = name.partition(".")[0]
        serving = (entry for entry in self._entries if plugin in (entry.stem, *entry.names))
        first = next(serving, None)
        return first.path if first is not None and first.package is None else ""

    def variants(self, name: str) -> list[Function]:
        """Return the built-in functions of this name, one per plugin; [] if a user's file serves the name."""
        plugin, _, function = name.partition(".")
        found = []
        for entry in self._entries:
            if plugin in entry.names:
                if entry.package is None:
                    return []  # A user's file replaces the plugin.
                found += [served] if (served := self._of(entry).get(function)) else []
        return found

    def _of(self, entry: IndexEntry) -> dict[str, Function]:
        if entry.path not in self._functions:
            try:
                module = importlib.import_module(str(entry.package))
                self._functions[entry.path] = dict(public_functions(module, is_ours=True))
            except ImportError:  # The plugin needs a library that is not installed here.
                self._functions[entry.path] = {}
        return self._functions[entry.path]
