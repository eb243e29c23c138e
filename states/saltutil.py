"""States that sync users' plugins from the file server to this machine.

Stock has one state for each kind of plugin that `saltutil` can sync. One function generates them here, since
they differ only in the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.api import call, has, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change

#: Plugin kinds; each is a function `sync_KIND` here and in the execution module.
_KINDS = (
    *("all", "beacons", "clouds", "engines", "executors", "grains", "log_handlers", "matchers", "modules"),
    *("output", "outputters", "pillar", "proxymodules", "renderers", "resources", "returners", "sdb"),
    *("serializers", "states", "thorium", "tops", "utils", "wrapper"),
)


def _make(kind: str) -> Callable[..., StateReturn]:
    function = f"saltutil.sync_{kind}"

    def sync(name: str, **kwargs: Any) -> StateReturn:
        if opts["test"]:
            return would_change(name, f"{function} would have been run")
        if not has(function):
            return failed(name, f"{function} is not available")
        found = call(function, **kwargs)
        synced = {each: names for each, names in found.items() if names} if kind == "all" else found
        if not synced:
            return as_wanted(name, "No updates to sync")
        return changed(name, "Sync performed", synced if kind == "all" else {kind: synced})

    sync.__name__ = f"sync_{kind}"
    sync.__doc__ = f"""Sync users' plugins ({kind}) from the file server.

    Keyword arguments go to `{function}`.

    Example::

        salt-g state.single saltutil.sync_{kind} name=now
    """
    return sync


globals().update({f"sync_{kind}": _make(kind) for kind in _KINDS})
