"""Functions of one kind of plugin, by name, loaded on first use.

Shapes: a Mapping of `plugin.function` to function. Looking up `pkg.install` imports the files
that may serve `pkg`, in order of precedence, until one does; iterating loads everything.
Errors: NoSuchFunction (a KeyError) with the reason and the nearest names.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import salt_g.loader.other_platforms as other_platforms
import salt_g.loader.plugin as plugins
from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import NoSuchFunction
from salt_g.loader.index import IndexEntry
from salt_g.loader.plugin import Plugin

Function = Callable[..., Any]

#: Depth of nested loads from which look-ups no longer ask files that compute their names.
_DEEPEST = 8


class FunctionTable(Mapping[str, Function]):
    """Functions of one kind of plugin; earlier entries take precedence.

    `providers` maps a virtual name to the file that must serve it (`{"pkg": "aptpkg"}`); a missing file is
    ignored, as in stock, because trees still name files of old releases. Users' files may import modules from
    the directories `libraries`. They load in the running call, or in `outside()` while no call runs.
    """

    def __init__(
        self,
        kind: str,
        entries: Sequence[IndexEntry],
        *,
        dunders: Callable[[], Mapping[str, Any]],
        providers: Mapping[str, str] | None = None,
        libraries: Sequence[str] = (),
        outside: Callable[[], CallContext] | None = None,
    ) -> None:
        self.kind = kind
        self.entries = list(entries)
        self._dunders = dunders
        self._libraries = libraries
        self._outside = outside
        self._wanted_providers = providers or {}
        self._providers = self._existing_providers()
        self._plugins: dict[str, Plugin] = {}
        #: Built-in plugins loaded before the entries were replaced.
        self._kept: dict[str, Plugin] = {}
        self._functions: dict[str, Function] = {}
        self._is_complete = False
        #: `paths` of the files that this thread is loading, which their own calls must not load again.
        self._loading = threading.local()

    def __getitem__(self, name: str) -> Function:
        function = self._functions.get(name) or self._find(name)
        if function is None:
            raise NoSuchFunction(name, reason=self.why_missing(name), nearest=self.nearest(name))
        return function

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        """Return the function of this name, or `default`."""
        found = self._find(name) if isinstance(name, str) else None
        return default if found is None else found

    def __iter__(self) -> Iterator[str]:
        self.load_all()
        return iter(sorted(self._functions))

    def __len__(self) -> int:
        self.load_all()
        return len(self._functions)

    def load_all(self) -> None:
        """Load every plugin of this kind."""
        if not self._is_complete:
            for entry in self._not_in_progress(self.entries):
                self._load(entry)
            self._is_complete = True

    def plugins(self) -> list[Plugin]:
        """Load and return all plugins of this kind; unavailable ones have a `reason` and no functions."""
        self.load_all()
        return [self._plugins[entry.path] for entry in self.entries]

    def plugin(self, stem: str) -> Plugin | None:
        """Load and return the plugin in the file with this name; None if there is no such file."""
        return next((self._load(entry) for entry in self.entries if entry.stem == stem), None)

    def module_names(self) -> list[str]:
        """Return the sorted names under which plugins are available."""
        return sorted({name.partition(".")[0] for name in self})

    def has_plugin(self, name: str) -> bool:
        """Return whether functions may exist under this plugin name.

        Nothing is imported, except files that compute their names if no other file has this name.
        """
        if name in self._providers or any(name in (entry.stem, *entry.names) for entry in self.entries):
            return True
        computing = filter(_may_compute_name, self._not_in_progress(self.entries))
        return any(self._load(entry).name == name for entry in computing)

    def known_names(self) -> set[str]:
        """Return the function names found in source texts, without importing any."""
        return {
            f"{name}.{function}"
            for entry in self.entries
            for name in entry.names
            for function in entry.functions
        }

    def nearest(self, name: str, count: int = 3) -> list[str]:
        """Return the available names most similar to `name`."""
        import difflib

        return difflib.get_close_matches(name, self._names_to_offer(), n=count, cutoff=0.7)

    def _names_to_offer(self) -> set[str]:
        """Return the names served by loaded plugins, and those found in the source texts of the others."""
        unread = [entry for entry in self.entries if entry.path not in self._plugins]
        return self._functions.keys() | {
            f"{name}.{function}"
            for entry in unread
            for name in entry.names
            for function in entry.functions
            if self._providers.get(name) in (None, entry.stem)
        }

    def why_missing(self, name: str) -> str:
        """Return why the plugin of `name` is unavailable, or '' if it is available or does not exist."""
        wanted = name.partition(".")[0]
        # A file that computes its name is a candidate for every name, but its reason counts only for the name
        # it has.
        named = [
            loaded
            for entry in self._candidates(wanted)
            if (loaded := self._load(entry)).name == wanted
            or wanted in (entry.stem, *entry.names, *self._providers)
        ]
        reasons = [
            f"'{wanted}' __virtual__ returned False: {loaded.reason}" if loaded.module else loaded.reason
            for loaded in named
            if loaded.reason
        ]
        offered = any(not loaded.reason for loaded in named)
        return "" if offered else "; ".join(reasons) or other_platforms.why_unavailable(wanted)

    def _find(self, name: str) -> Function | None:
        found = self._functions.get(name)
        if found is not None or self._is_complete:
            return found
        for entry in self._candidates(name.partition(".")[0]):
            self._load(entry)
            if name in self._functions:
                return self._functions[name]
        return None

    def _candidates(self, wanted: str) -> list[IndexEntry]:
        entries = self._not_in_progress(self.entries)
        provider = self._providers.get(wanted)
        if provider:
            return [entry for entry in entries if entry.stem == provider]
        sure = [entry for entry in entries if wanted in entry.names]
        asks_all = len(self._in_progress()) < _DEEPEST
        return sure + [
            entry
            for entry in entries
            if wanted not in entry.names and (entry.stem == wanted or (asks_all and _may_compute_name(entry)))
        ]

    def _in_progress(self) -> tuple[str, ...]:
        """Return the files that this thread is loading, the outermost first."""
        paths: tuple[str, ...] = getattr(self._loading, "paths", ())
        return paths

    def _not_in_progress(self, entries: Sequence[IndexEntry]) -> list[IndexEntry]:
        paths = self._in_progress()
        return [entry for entry in entries if entry.path not in paths] if paths else list(entries)

    def _load(self, entry: IndexEntry) -> Plugin:
        loaded = self._plugins.get(entry.path)
        if loaded is None:
            outer = self._in_progress()
            self._loading.paths = (*outer, entry.path)
            try:
                kept = self._kept.pop(entry.path, None)
                loaded = kept if kept is not None else self._provided(entry, self._loaded(entry))
            finally:
                self._loading.paths = outer
            self._store(entry, loaded)
        return loaded

    def _provided(self, entry: IndexEntry, loaded: Plugin) -> Plugin:
        """Return a plugin with the names that `providers` gives to it, whatever its `__virtual__` returns."""
        names = tuple(name for name, file in self._providers.items() if file == entry.stem)
        if not names or loaded.module is None:
            return loaded
        functions = loaded.functions
        if loaded.reason:
            functions = plugins.public_functions(
                loaded.module, is_ours=entry.package is not None, kind=self.kind
            )
        return loaded._replace(functions=functions, reason="", aliases=(*loaded.aliases, *names))

    def _loaded(self, entry: IndexEntry) -> Plugin:
        # Reads during the load are not recorded, because which call loads a plugin first is arbitrary.
        with api.unrecorded():
            return plugins.load(entry, {}, kind=self.kind) if entry.package else self._load_theirs(entry)

    def _load_theirs(self, entry: IndexEntry) -> Plugin:
        """Load a user's file, whose `__virtual__` may read `__opts__` and `__grains__`."""
        must_enter = self._outside is not None and not api.is_running()
        with api.use(self._outside()) if must_enter and self._outside else contextlib.nullcontext():
            return plugins.load(entry, self._dunders(), kind=self.kind, libraries=self._libraries)

    def _store(self, entry: IndexEntry, loaded: Plugin) -> None:
        self._plugins[entry.path] = loaded
        for served in (loaded.name, *loaded.aliases):
            if self._may_serve(served, entry):
                for name, function in loaded.functions.items():
                    self._functions.setdefault(f"{served}.{name}", function)

    def _existing_providers(self) -> Mapping[str, str]:
        if not self._wanted_providers:
            return {}
        files = {entry.stem for entry in self.entries}
        return {name: file for name, file in self._wanted_providers.items() if file in files}

    def _may_serve(self, name: str, entry: IndexEntry) -> bool:
        provider = self._providers.get(name)
        return provider is None or provider == entry.stem

    def replace_entries(self, entries: Sequence[IndexEntry]) -> None:
        """Switch to other entries and forget users' plugins, so that their files are read again.

        Unavailable built-in plugins are checked again, because a package that they need may have been
        installed. Available ones are not imported again, but still looked up in the order of entries, so that
        a user's plugin takes precedence over the built-in one of its name.
        """
        plugins.forget_siblings()
        ours = {entry.path for entry in entries if entry.package}
        known = {**self._kept, **self._plugins}
        self._kept = {path: loaded for path, loaded in known.items() if path in ours and not loaded.reason}
        self.entries = list(entries)
        self._providers = self._existing_providers()
        self._plugins, self._functions, self._is_complete = {}, {}, False


def _may_compute_name(entry: IndexEntry) -> bool:
    """Return whether the virtual name is known only after an import.

    Built-in plugins always have their name in the text; users' files may compute one.
    """
    return entry.is_open and entry.package is None and os.path.exists(entry.path)
