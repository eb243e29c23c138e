"""Beacon: packages that were installed or removed, or have an upgrade available.

    beacons:
      pkg:
        - pkgs: [zsh, apache2]
        - refresh: True
        - interval: 3600

`refresh` updates the package lists first (default: False). The first round only records the current state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call, has
from salt_g.beacons._settings import memory, merged, validated
from salt_g.shapes.loads import BeaconEvent


def __virtual__() -> Any:
    """Return whether the module `pkg` is available."""
    return True if has("pkg.latest_version") else (False, "no execution module `pkg` serves this system")


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add pkg '[{"pkgs": ["bash", "openssl"]}, {"interval": 3600}]'
    """
    return validated(config, "pkg", _error)


def _error(settings: dict[str, Any]) -> str:
    if not isinstance(settings.get("pkgs"), list):
        return "Configuration for pkg beacon requires list of pkgs."
    return ""


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {pkg, version, status} of each package with a changed status.

    `status` is `installed`, `upgrade` (`version` is the new one) or `not-installed`.

    Example::

        salt-g beacons.list
    """
    settings, remembered = merged(config), memory(config, "pkg")
    events = []
    for name, (status, version) in _statuses(settings["pkgs"], bool(settings.get("refresh"))).items():
        before, remembered[name] = remembered.get(name), status
        if before not in (None, status):
            events.append({"pkg": name, "version": version, "status": status})
    return events


def _statuses(names: list[str], refresh: bool) -> dict[str, tuple[str, str | None]]:
    """Return {name: (status, version)}; all packages are queried at once."""
    installed = _versions("pkg.version", names, use_context=False)
    there = [name for name in names if installed.get(name)]
    newer = _versions("pkg.latest_version", there, refresh=refresh)
    return {
        name: ("upgrade", newer[name])
        if newer.get(name)
        else ("installed", installed[name])
        if installed.get(name)
        else ("not-installed", None)
        for name in names
    }


def _versions(function: str, names: list[str], **options: Any) -> Mapping[str, str]:
    if not names:
        return {}
    found = call(function, *names, **options)
    return found if isinstance(found, Mapping) else {names[0]: found}
