"""Simulated resources, for tests and as an example.

A dummy has services and packages, as a device would. Its state is kept in `__context__` (`scratch`) and
written to the minion's `cachedir` when it changes, so that it survives a restart of the minion.

Pillar::

    resources:
      dummy:
        resource_ids: [d-01, d-02]
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from salt_g.api import opts, resource, scratch
from salt_g.errors import CommandExecutionError, WireError
from salt_g.process.disk import write_new_or_replace
from salt_g.resource_model.pillar_settings import declared
from salt_g.shapes import GrainsDict
from salt_g.wire.packing import pack_bus, unpack

#: Modules taken from the minion: `pillar` reads the pillar of the running call, which is the resource's.
__fall_through__ = ("pillar",)

#: Initial state of a dummy.
_SERVICES = {"apache": "running", "ntp": "running", "samba": "stopped"}
_PACKAGES = {"coreutils": "1.0", "apache": "2.4", "tinc": "1.4", "redbull": "999.99"}


def discover(opts: Mapping[str, Any]) -> list[Any]:
    """Return the ids listed in pillar."""
    below = declared(opts["pillar"], opts).get("dummy")
    listed = below.get("resource_ids") if isinstance(below, Mapping) else None
    return list(listed or [])


def init(opts: Mapping[str, Any]) -> None:
    """Initialize the type with no dummies in memory."""
    scratch["dummies"] = {}


def initialized() -> bool:
    """Return whether `init` was called."""
    return "dummies" in scratch


def shutdown(opts: Mapping[str, Any]) -> None:
    """Drop the dummies from memory; changes are kept on disk."""
    scratch.pop("dummies", None)


def ping() -> bool:
    """Return True, because a dummy is always available."""
    return True


def grains() -> GrainsDict:
    """Return the grains of a dummy."""
    return {
        "dummy_grain_1": "one",
        "dummy_grain_2": "two",
        "dummy_grain_3": "three",
        "resource_id": resource["id"],
    }


def grains_refresh() -> GrainsDict:
    """Return fresh grains."""
    return grains()


def service_start(name: str) -> str:
    """Start a service, creating it if unknown; return its state."""
    with _changing() as dummy:
        dummy["services"][name] = "running"
    return "running"


def service_stop(name: str) -> str:
    """Stop a service; return its state."""
    with _changing() as dummy:
        dummy["services"][name] = "stopped"
    return "stopped"


def service_restart(name: str) -> bool:
    """Return True without changing anything, as if the service had been restarted."""
    return True


def service_list() -> list[str]:
    """Return the names of all services."""
    return list(_state()["services"])


def service_status(name: str) -> dict[str, str]:
    """Return {'comment': state of the service}; raises CommandExecutionError if it does not exist."""
    services = _state()["services"]
    if name not in services:
        raise CommandExecutionError(f"dummy {resource['id']} has no service {name!r}")
    return {"comment": services[name]}


def package_list() -> dict[str, str]:
    """Return {name: version} of all packages."""
    return dict(_state()["packages"])


def package_install(name: str, version: str = "1.0", **kwargs: Any) -> dict[str, str]:
    """Install a package; return {name: version}."""
    with _changing() as dummy:
        dummy["packages"][name] = str(version)
    return {name: str(version)}


def package_remove(name: str) -> dict[str, str]:
    """Remove a package; return the remaining ones."""
    with _changing() as dummy:
        dummy["packages"].pop(name, None)
    return package_list()


def package_status(name: str) -> dict[str, str]:
    """Return {name: version} of one package, or {} if it is not installed."""
    packages = _state()["packages"]
    return {name: packages[name]} if name in packages else {}


def upgrade() -> dict[str, str]:
    """Add 1.0 to each version that is a number; return all packages."""
    with _changing() as dummy:
        dummy["packages"] = {name: _next(version) for name, version in dummy["packages"].items()}
    return package_list()


def uptodate() -> dict[str, str]:
    """Return all packages."""
    return package_list()


def test_from_state() -> str:
    """Return a fixed value."""
    return "testvalue"


def _next(version: str) -> str:
    try:
        return str(float(version) + 1.0)
    except ValueError:
        return version


def _state() -> dict[str, Any]:
    """Return the dummy of the call: from memory, from disk, or its initial state."""
    dummies: dict[str, Any] = scratch.setdefault("dummies", {})
    return dummies.get(resource["id"]) or _read() or _first()


def _first() -> dict[str, Any]:
    return {"id": resource["id"], "services": dict(_SERVICES), "packages": dict(_PACKAGES)}


@contextmanager
def _changing() -> Iterator[dict[str, Any]]:
    """Yield the dummy of the call for changes, then store it in memory and on disk."""
    dummy = _state()
    yield dummy
    scratch["dummies"][resource["id"]] = dummy
    # No fsync, because a dummy may return to its initial state after a power failure.
    write_new_or_replace(_path(), pack_bus(dummy))


def _read() -> dict[str, Any] | None:
    try:
        with open(_path(), "rb") as file:
            found = unpack(file.read())
    except (FileNotFoundError, WireError):
        return None
    if not (isinstance(found, dict) and {"services", "packages"} <= found.keys()):
        return None
    scratch["dummies"][resource["id"]] = found
    return found


def _path() -> str:
    # An id contains no slash: see `salt_g/resource_model/srn.py`.
    return os.path.join(str(opts["cachedir"]), f"dummy-resource-{resource['id']}.cache")
