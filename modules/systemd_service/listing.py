"""Listings of units, and systemd's information about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from salt_g.modules import _init_scripts, _systemd
from salt_g.modules._units import UNIT_TYPES, short_name, unit_names
from salt_g.modules.systemd_service._systemctl import is_available, reload_if_changed, scripts, systemctl


def available(name: str) -> bool:
    """Return whether a unit of this name exists.

    Example::

        salt-g service.available cron
    """
    reload_if_changed(name)
    return is_available(name)


def missing(name: str) -> bool:
    """Return whether there is no unit of this name.

    Example::

        salt-g service.missing cron
    """
    return not available(name)


def get_all(root: str | None = None) -> list[str]:
    """Return the names of all units and of the scripts in /etc/init.d.

    Example::

        salt-g service.get_all
    """
    return sorted({*unit_names(root), *scripts(root)})


def get_running() -> list[str]:
    """Return the names of the units that run.

    Example::

        salt-g service.get_running
    """
    rows = (line.split() for line in systemctl("--full --no-legend --no-pager")["stdout"].splitlines())
    return sorted(_unit_names_of(row[0] for row in rows if len(row) > 3 and row[3] == "running"))


def get_enabled(root: str | None = None) -> list[str]:
    """Return the names of the units that are started at boot.

    Example::

        salt-g service.get_enabled
    """
    level = _init_scripts.runlevel()
    started = (name for name in scripts(root) if _init_scripts.is_enabled(name, level, root))
    return sorted({*_units_in_state("enabled", root), *started})


def get_disabled(root: str | None = None) -> list[str]:
    """Return the names of the units that can be enabled at boot but are not.

    Example::

        salt-g service.get_disabled
    """
    level = _init_scripts.runlevel()
    started = (name for name in scripts(root) if not _init_scripts.is_enabled(name, level, root))
    return sorted({*_units_in_state("disabled", root), *started})


def get_static(root: str | None = None) -> list[str]:
    """Return the names of the units that cannot be enabled, only started by hand or by another unit.

    Example::

        salt-g service.get_static
    """
    return sorted(_units_in_state("static", root))


def show(name: str, root: str | None = None) -> dict[str, Any]:
    """Return {property: value} of a unit; lists and groups of values are parsed.

    Example::

        salt-g service.show cron
    """
    lines = systemctl("show", name, root=root)["stdout"].splitlines()
    pairs = (line.partition("=") for line in lines)
    return {key: _property(key, value) for key, _, value in pairs}


def execs(root: str | None = None) -> dict[str, str]:
    """Return {name: program} of the units that start a program.

    Example::

        salt-g service.execs
    """
    started = {name: show(name, root=root).get("ExecStart") for name in get_all(root=root)}
    return {name: value["path"] for name, value in started.items() if isinstance(value, dict)}


def offline() -> bool:
    """Return whether systemctl is installed but systemd is not running.

    Example::

        salt-g service.offline
    """
    return _systemd.is_offline()


def _units_in_state(state: str, root: str | None) -> set[str]:
    text = systemctl("--full --no-legend --no-pager list-unit-files", root=root)["stdout"]
    rows = (line.split() for line in text.splitlines())
    return set(_unit_names_of(row[0] for row in rows if len(row) > 1 and row[1] == state))


def _unit_names_of(units: Iterator[str]) -> Iterator[str]:
    return (short_name(unit) for unit in units if unit.rpartition(".")[2] in UNIT_TYPES)


def _property(key: str, value: str) -> Any:
    if value.startswith("{"):
        parts = (part.partition("=") for part in value.strip("{}").split(" ; "))
        return {name.strip(): text.strip() for name, _, text in parts}
    return value.split() if key in ("Before", "After", "Wants") else value
