"""Import hook for users' plugins, by which `import other` finds a file next to the importing plugin.

Stock puts the plugin's directory at the end of `sys.path` while it loads the file, and the synced `_utils`
permanently. This finder is also the last one, so a plugin never hides a module of Python.
"""

from __future__ import annotations

import contextlib
import contextvars
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType

#: Directories of the plugin being imported.
_beside: contextvars.ContextVar[tuple[str, ...]] = contextvars.ContextVar("salt_g_siblings", default=())


class SiblingImports(importlib.abc.MetaPathFinder):
    """Finder of top-level modules in plugin directories."""

    def __init__(self) -> None:
        #: Directories that all plugins may import from, at any time.
        self.libraries: dict[str, None] = {}
        self._found: dict[str, str] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the import spec of a file in these directories, or None for other and dotted names."""
        directories = [*_beside.get(), *self.libraries]
        if path is not None or not directories:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, directories)
        if spec is None or spec.origin is None:
            return None
        self._found[fullname] = spec.origin
        return spec

    def forget(self) -> None:
        """Drop the imported modules, so that the next import reads changed files."""
        for name, origin in self._found.items():
            if getattr(sys.modules.get(name), "__file__", None) == origin:
                del sys.modules[name]
        self._found.clear()


@contextlib.contextmanager
def importing_beside(directory: str, libraries: Iterable[str]) -> Iterator[None]:
    """Let files of `directory` be imported during the block, and files of `libraries` from now on."""
    _finder().libraries.update(dict.fromkeys(libraries))
    token = _beside.set((directory,))
    try:
        yield
    finally:
        _beside.reset(token)


def forget() -> None:
    """Drop all modules imported by this hook."""
    _finder().forget()


def _finder() -> SiblingImports:
    for finder in sys.meta_path:
        if isinstance(finder, SiblingImports):
            return finder
    sys.meta_path.append(made := SiblingImports())
    return made
