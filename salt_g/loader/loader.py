"""Function tables for each kind of plugin.

Look-up order: users' directories (settings such as `module_dirs`), synced users' plugins
(`extension_modules`), installed extensions, the rooms of salt-g (built-in plugins).
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from salt_g.api import CallContext, Deferred
from salt_g.loader.dunders import stock_dunders
from salt_g.loader.extensions import extension_directories
from salt_g.loader.index import IndexEntry, read_cache, read_directory, write_cache
from salt_g.loader.kinds import KINDS, Kind
from salt_g.loader.table import FunctionTable
from salt_g.services.plugins import STOCK_FILES, Services

#: Settings with the whitelist of a kind. `whitelist_modules` restricts jobs and templates, but not calls
#: between plugins (`CallContext.offered`).
_WHITELISTS = {"states": "whitelist_state_modules"}


class Loader:
    """Loader of the plugins of one program; implements `services.protocols.Plugins`.

    `opts` contains the directories, blacklists and whitelists.
    """

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self._opts = opts
        self._tables: dict[str, FunctionTable] = {}

    def table(self, kind: str) -> FunctionTable:
        """Return the functions of a kind, by name; raise KeyError for an unknown kind."""
        table = self._tables.get(kind)
        if table is None:
            declared = KINDS[kind]
            table = self._tables[kind] = FunctionTable(
                kind,
                self._allowed(kind, self._entries(declared)),
                dunders=partial(stock_dunders, kind),
                providers=self._providers(kind),
                libraries=self._libraries(),
                outside=self._outside,
            )
        return table

    def has_users_plugins(self, kind: str) -> bool:
        """Return whether users' directories or installed extensions have plugins of a kind."""
        return any(
            read_directory(directory, {})
            for directory, package in self._directories(KINDS[kind])
            if package is None
        )

    def with_providers(self, providers: Mapping[str, str]) -> Loader:
        """Return a loader in which the given plugins serve the given names (`{"pkg": "aptpkg"}`)."""
        settled = self._opts.get("providers")
        before = settled if isinstance(settled, Mapping) else {}
        return Loader({**self._opts, "providers": {**before, **providers}})

    def reload(self, kinds: Sequence[str] = ()) -> None:
        """Reload users' plugins of these kinds (all if empty) at the next look-up.

        Tables keep their identity, so that references to them see the new functions.
        """
        for kind in kinds or list(self._tables):
            table = self._tables.get(kind)
            if table is not None:
                importlib.invalidate_caches()
                table.replace_entries(self._allowed(kind, self._entries(KINDS[kind])))

    def _outside(self) -> CallContext:
        """Return the context in which users' files load while no call is running."""
        from salt_g.loader.grains import gather

        grains = Deferred(lambda: gather(dict(self._opts), self.table("grains")))
        return CallContext(opts=self._opts, grains=grains, pillar={}, services=Services(plugins=lambda: self))

    def _entries(self, kind: Kind) -> list[IndexEntry]:
        path = os.path.join(str(self._opts.get("cachedir") or ""), "loader", f"{kind.name}.json")
        cached = read_cache(path)
        before = repr(cached)
        entries: list[IndexEntry] = []
        for directory, package in self._directories(kind):
            entries += read_directory(directory, cached.setdefault(directory, {}), package=package)
        if repr(cached) != before and self._opts.get("cachedir"):
            write_cache(path, cached)
        if kind.name == "grains":
            # Built-in plugins are split by topic (`cpu.py`), but are one file in stock: a user's file of the
            # same name must not hide them. For functions in both, the user's takes precedence.
            theirs = _first_of_each_stem([entry for entry in entries if not entry.package])
            return theirs + [entry for entry in entries if entry.package]
        return _first_of_each_stem(entries)

    def _directories(self, kind: Kind) -> Iterator[tuple[str, str | None]]:
        """Yield (directory, import package); the package is None except for rooms of salt-g."""
        for directory in self._opts.get(kind.dirs_option) or ():
            yield str(directory), None
        synced = self._opts.get("extension_modules")
        if synced:
            yield os.path.join(str(synced), kind.folder), None
        for directory in extension_directories(kind.folder, kind.dirs_option):
            yield directory, None
        if kind.room:
            for directory in importlib.import_module(kind.room).__path__:
                yield directory, kind.room

    def _libraries(self) -> list[str]:
        """Return the directories whose files users' plugins can import by their plain names."""
        synced = self._opts.get("extension_modules")
        below = [os.path.join(str(synced), "utils")] if synced else []
        return [*map(str, self._opts.get("utils_dirs") or ()), *below]

    def _allowed(self, kind: str, entries: list[IndexEntry]) -> list[IndexEntry]:
        """Drop plugins named in `disable_<kind>` or missing from this kind's whitelist."""
        disabled = set(self._opts.get(f"disable_{kind}") or ())
        wanted = set(self._opts.get(_WHITELISTS.get(kind, "")) or ())
        of_stock = STOCK_FILES if kind == "modules" else {}
        return [
            entry
            for entry in entries
            if not disabled & {entry.stem, *entry.names, *of_stock.get(entry.stem, ())}
            and (not wanted or wanted & {entry.stem, *entry.names})
        ]

    def _providers(self, kind: str) -> Mapping[str, str]:
        providers = self._opts.get("providers") if kind == "modules" else None
        return providers if isinstance(providers, Mapping) else {}


def _first_of_each_stem(entries: list[IndexEntry]) -> list[IndexEntry]:
    """Keep the first entry of each file name, so that a user's `test.py` replaces the built-in one."""
    first: dict[str, IndexEntry] = {}
    for entry in entries:
        first.setdefault(entry.stem, entry)
    return list(first.values())
