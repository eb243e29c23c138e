"""Hooks of the package states called by the state engine: mod_init, mod_watch, mod_beacon, mod_aggregate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import salt_g.states.pkg._refresh as _refresh
from salt_g.api import call, current, functions
from salt_g.shapes import AnyChunk, LowChunk, Running, StateReturn, low_tag
from salt_g.shapes.aggregation import is_aggregated, mark_aggregated
from salt_g.states._outcome import as_wanted, failed
from salt_g.states.pkg.installed import installed
from salt_g.states.pkg.latest import latest
from salt_g.states.pkg.removed import purged, removed

_WATCHING: dict[str, Callable[..., StateReturn]] = {
    "purged": purged,
    "latest": latest,
    "removed": removed,
    "installed": installed,
}

#: {name: {version or None, ...}}; names in order of appearance.
_Wanted = dict[str, dict[Any, None]]


def mod_init(low: LowChunk) -> bool:
    """Request one refresh per run, before the first package state that may install.

    Returns False for other states, so that the request is made later.

    Example::

        salt-g state.single pkg.installed vim
    """
    result = call("pkg.ex_mod_init", low) if "pkg.ex_mod_init" in functions else True
    if low["fun"] not in ("installed", "latest"):
        return False
    _refresh.ask_for()
    return bool(result)


def mod_watch(name: str, **kwargs: Any) -> StateReturn:
    """Run the state again because a watched state has changed.

    Example::

        salt-g state.single pkg.mod_watch vim sfun=installed
    """
    watching = kwargs.pop("sfun", None)
    if watching in _WATCHING:
        return _WATCHING[watching](name, **kwargs)
    return failed(name, f"pkg.{watching} does not work with the watch requisite")


def mod_beacon(name: str, **kwargs: Any) -> StateReturn:
    """Watch packages with a beacon, if the state asks for it.

    Example::

        salt-g state.single pkg.mod_beacon vim sfun=installed
    """
    watching = kwargs.pop("sfun", None)
    if watching not in ("installed", "removed"):
        return failed(name, f"pkg.{watching} does not work with the mod_beacon state function")
    if not kwargs.get("beacon"):
        return as_wanted(name, "Not adding beacon.")
    add = current().table("states")["beacon.present"]
    returned: StateReturn = add(
        name=f"beacon_pkg_{name}", pkgs=kwargs.get("pkgs", [name]), interval=60, beacon_module="pkg"
    )
    return returned


def mod_aggregate(low: AnyChunk, chunks: Iterable[AnyChunk], running: Running) -> AnyChunk:
    """Return the chunk with the packages of all later chunks like it, which are marked as done.

    Example::

        vim:
          pkg.installed:
            - aggregate: True
    """
    if low.get("fun") not in _WATCHING:
        return low
    kind = "sources" if "sources" in low else "pkgs"
    wanted: _Wanted = {}
    for chunk in chunks:
        if _is_alike(chunk, low) and low_tag(chunk) not in running:
            _take_over(chunk, kind, wanted)
    if wanted:
        together: _Wanted = {}
        _add(together, low.get(kind, []))
        for name, versions in wanted.items():
            together.setdefault(name, {None: None} if not versions else {}).update(versions)
        low[kind] = [
            name if version is None else {name: version}
            for name, versions in together.items()
            for version in versions
        ]
    return low


def _is_alike(chunk: AnyChunk, low: AnyChunk) -> bool:
    return (
        chunk.get("state") == "pkg"
        and not is_aggregated(chunk)
        and "hold" not in chunk
        and chunk.get("fun") == low.get("fun")
        and chunk.get("fromrepo") == low.get("fromrepo")
    )


def _take_over(chunk: AnyChunk, kind: str, wanted: _Wanted) -> None:
    if kind in chunk:
        _add(wanted, chunk[kind])
    elif kind == "pkgs" and "sources" not in chunk and "name" in chunk:
        wanted.setdefault(chunk["name"], {})[chunk.pop("version", None)] = None
    else:
        return
    mark_aggregated(chunk)


def _add(wanted: _Wanted, items: Iterable[Any]) -> None:
    for item in items:
        for name, version in item.items() if isinstance(item, dict) else [(item, None)]:
            wanted.setdefault(name, {})[version] = None
