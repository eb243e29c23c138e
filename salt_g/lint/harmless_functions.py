"""Execution functions for templates during lint.

Functions that use only settings, grains, pillar and the tree are really called; any other existing function
returns an unknown value without being called. A name that no plugin has is missing, as at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jinja2 import Undefined

from salt_g.errors import NoSuchFunction
from salt_g.lint.unknown import Unknown
from salt_g.loader.table import FunctionTable

#: Functions that do not inspect the machine; `_PURE_PLUGINS` are plugins with only such functions.
_PURE = frozenset(
    f"{plugin}.{name}"
    for plugin, names in {
        "config": ("get", "merge", "option"),
        "cp": ("envs", "list_master", "list_master_dirs", "list_states"),
        "defaults": ("deepcopy", "get", "merge", "update"),
        "file": ("basename", "dirname", "join", "normpath"),
        "grains": ("equals", "fetch", "filter_by", "get", "has_value", "item", "items"),
        "jinja": ("load_map",),
        "pillar": ("fetch", "get", "item", "items", "keys", "raw"),
        "slsutil": ("boolstr", "dir_exists", "file_exists", "findup", "merge", "merge_all", "path_exists"),
        "test": ("echo",),
    }.items()
    for name in names
)
_WITH_DEFAULT = ("config.get", "grains.get", "pillar.get")
#: Passed to `on_unknown` in place of a function's name when a template reads pillar.
PILLAR = "pillar"
_PURE_PLUGINS = frozenset(("match", "hashutil"))


class HarmlessFunctions(Mapping[str, Callable[..., Any]]):
    """Functions of a table without side effects; `on_unknown` gets the names that return unknown values."""

    def __init__(self, table: FunctionTable, on_unknown: Callable[[str], None]) -> None:
        self._table = table
        self._on_unknown = on_unknown
        self._names = table.known_names()

    def __getitem__(self, name: str) -> Callable[..., Any]:
        plugin = name.partition(".")[0]
        if name in _PURE or plugin in _PURE_PLUGINS:
            if plugin == "pillar":
                self._on_unknown(PILLAR)
            return self._computing(name)
        if name not in self._names and not self._may_exist(name):
            raise NoSuchFunction(name, nearest=self.nearest(name))

        def unknown(*args: Any, **kwargs: Any) -> Unknown:
            self._on_unknown(name)
            return Unknown()

        return unknown

    def _computing(self, name: str) -> Callable[..., Any]:
        """Return a function that is really called unless its first argument is unknown.

        An undefined default gives an unknown value, because with other data the default may not be needed.
        """
        function = self._table[name]

        def of_known(*args: Any, **kwargs: Any) -> Any:
            if args and isinstance(args[0], Unknown):
                self._on_unknown(name)
                return args[0]
            if name in _WITH_DEFAULT and isinstance(args[1] if len(args) > 1 else None, Undefined):
                self._on_unknown(name)
                return Unknown()
            return function(*args, **kwargs)

        return of_known

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._names or self._may_exist(name))

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._names))

    def __len__(self) -> int:
        return len(self._names)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the function of this name, or `default`."""
        try:
            return self[name]
        except NoSuchFunction:
            return default

    def has_plugin(self, plugin: str) -> bool:
        """Return whether functions may exist under this plugin name."""
        return any(plugin in (entry.stem, *entry.names) for entry in self._table.entries)

    def nearest(self, name: str) -> list[str]:
        """Return the existing names most similar to `name`."""
        import difflib

        return difflib.get_close_matches(name, self._names, n=3, cutoff=0.7)

    def _may_exist(self, name: str) -> bool:
        """Return whether a user's plugin of this name may have functions that its source does not show."""
        plugin = name.partition(".")[0]
        theirs = (entry for entry in self._table.entries if entry.package is None)
        return any(plugin in (entry.stem, *entry.names) for entry in theirs)
