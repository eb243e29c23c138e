"""Make the standard library yield to the hub: the first thing that a program with a hub does.

Why its own file: what gevent's own `patch_all` loads and a quiet daemon never uses takes 4 MiB and 40 ms:
the reader of packages' metadata (with it e-mail, zip and CSV), and TLS.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any


def patch() -> None:
    """Patch the standard library for gevent; `ssl` is patched when somebody imports it."""
    import gevent.monkey
    from gevent import events

    told: Any = events
    # Who wants to hear of patches subscribes (`gevent.events.subscribers`); gevent would also look
    # through the metadata of all installed packages for who does.
    told.notify_and_call_entry_points = told.notify
    is_loaded = "ssl" in sys.modules
    gevent.monkey.patch_all(ssl=is_loaded)
    if not is_loaded:
        sys.meta_path.insert(0, _PatchesTLS())


class _PatchesTLS(importlib.abc.MetaPathFinder):
    """Finds `ssl` as ever, once, and has it patched as soon as it is there.

    Until then nobody can have a reference to what is replaced.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to load `ssl`, None for every other module."""
        if fullname != "ssl":
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _ThenPatched(spec.loader)
        return spec


class _ThenPatched(importlib.abc.Loader):
    """Loads a module as its own loader does, and patches TLS after it."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """Leave the making of the module to its own loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Load the module, then let gevent replace what would block."""
        import gevent.monkey

        self._loader.exec_module(module)
        gevent.monkey.patch_ssl()
