"""Monkey patching of the standard library for gevent: the first action of a program with a hub.

gevent's `patch_all` is not used because it loads modules that an idle daemon never needs, for 4 MiB and
40 ms: the reader of package metadata (with e-mail, zip and CSV), and TLS.
"""

from __future__ import annotations

import codecs
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any


def patch() -> None:
    """Patch the standard library for gevent; `ssl` is patched when it is imported."""
    import gevent.monkey
    from gevent import events

    untyped_events: Any = events
    # Subscribers to patches register in `gevent.events.subscribers`; gevent would in addition search the
    # metadata of all installed packages for subscribers.
    untyped_events.notify_and_call_entry_points = untyped_events.notify
    gevent.config.loop = _loop_without_nan(gevent.config.loop)
    is_loaded = "ssl" in sys.modules
    # Native threads must not import (`offload`), and the first use of a codec imports it.
    codecs.lookup("ascii")
    gevent.monkey.patch_all(ssl=is_loaded)
    if not is_loaded:
        sys.meta_path.insert(0, _PatchesTLS())


def _loop_without_nan(loop: Any) -> Any:
    """Return a loop class whose timers refuse NaN with a ValueError, as `time.sleep` does without gevent.

    All comparisons with NaN are false, so NaN corrupts libev's heap of timers: the hub then loops forever,
    and no greenlet runs again. Times come from users and peers in many places.
    """

    class Loop(loop):  # type: ignore[misc]
        def timer(self, after: float, repeat: float = 0.0, ref: bool = True, priority: Any = None) -> Any:
            if after != after:
                raise ValueError("a time must be a number of seconds, not NaN")
            return super().timer(after, repeat, ref, priority)

    return Loop


class _PatchesTLS(importlib.abc.MetaPathFinder):
    """Import hook that finds `ssl` as usual, once, and patches it after loading.

    Before that, no reference to the replaced objects can exist.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the import spec of `ssl`, or None for every other module."""
        if fullname != "ssl":
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _ThenPatched(spec.loader)
        return spec


class _ThenPatched(importlib.abc.Loader):
    """Loader that delegates to the original one and patches TLS afterwards."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """Delegate the creation of the module to its own loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Load the module, then let gevent replace its blocking parts."""
        import gevent.monkey

        self._loader.exec_module(module)
        gevent.monkey.patch_ssl()
