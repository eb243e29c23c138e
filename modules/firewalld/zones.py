"""Zones of firewalld, its version and its configuration as a whole."""

from __future__ import annotations

from typing import Any

from salt_g.modules.firewalld._program import change_and_reload, run_firewalld


def version() -> str:
    """Return the version of firewalld.

    Example::

        salt-g firewalld.version
    """
    return run_firewalld("--version")


def reload_rules() -> str:
    """Replace the running configuration with the permanent one.

    Example::

        salt-g firewalld.reload_rules
    """
    return run_firewalld("--reload")


def make_permanent() -> str:
    """Make the running configuration the permanent one.

    Example::

        salt-g firewalld.make_permanent
    """
    return run_firewalld("--runtime-to-permanent")


def default_zone() -> str:
    """Return the default zone, which applies to connections that belong to no other zone.

    Example::

        salt-g firewalld.default_zone
    """
    return run_firewalld("--get-default-zone")


def set_default_zone(zone: str) -> str:
    """Set the default zone, which applies to connections that belong to no other zone.

    Example::

        salt-g firewalld.set_default_zone dmz
    """
    return run_firewalld(f"--set-default-zone={zone}")


def get_zones(permanent: bool = True) -> list[str]:
    """Return the names of the zones.

    Example::

        salt-g firewalld.get_zones
    """
    return run_firewalld("--get-zones", permanent=permanent).split()


def new_zone(zone: str, restart: bool = True) -> str:
    """Create a zone; `restart` also loads the new configuration.

    Example::

        salt-g firewalld.new_zone mine
    """
    return change_and_reload(f"--new-zone={zone}", restart)


def delete_zone(zone: str, restart: bool = True) -> str:
    """Delete a zone; `restart` also loads the new configuration.

    Example::

        salt-g firewalld.delete_zone mine
    """
    return change_and_reload(f"--delete-zone={zone}", restart)


def list_zones(permanent: bool = True) -> dict[str, Any]:
    """Return {zone: {field: [value]}} of all zones; flags may follow a name, as in `public (active)`.

    Example::

        salt-g firewalld.list_zones
    """
    return _parsed(run_firewalld("--list-all-zones", permanent=permanent))


def list_all(zone: str | None = None, permanent: bool = True) -> dict[str, Any]:
    """Return {zone: {field: [value]}} of one zone, with names as in `firewalld.list_zones`.

    Example::

        salt-g firewalld.list_all public
    """
    return _parsed(run_firewalld("--list-all", zone=zone, permanent=permanent))


def _parsed(text: str) -> dict[str, Any]:
    """Parse a listing: zone names at the left margin, `field: value` below, further values below these."""
    zones: dict[str, Any] = {}
    zone: dict[str, list[str]] = {}
    values: list[str] = []
    for line in filter(str.strip, text.splitlines()):
        if line[0].isalnum():
            zone = zones.setdefault(line.rstrip(), {})
        elif line.startswith("\t"):
            values.append(line.strip())
        else:
            what, _, value = line.partition(":")
            values = zone[what.strip()] = [value.strip()]
    return zones
