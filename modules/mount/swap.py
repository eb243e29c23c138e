"""Swap space: listing, enabling and disabling."""

from __future__ import annotations

from typing import Any

from salt_g.modules._programs import act


def swaps() -> dict[str, dict[str, str]]:
    """Return {device or file: {"type", "size", "used", "priority"}} of the active swap space; sizes in KiB.

    Example::

        salt-g mount.swaps
    """
    rows = (row for row in _rows() if row[0] != "Filename")
    return {row[0]: dict(zip(("type", "size", "used", "priority"), row[1:5], strict=True)) for row in rows}


def swapon(name: str, priority: int | None = None) -> dict[str, Any]:
    """Enable swap space; return {"stats": as in `mount.swaps`, "new": whether it was off}, {} on failure.

    Example::

        salt-g mount.swapon /swapfile
    """
    was_on = name in swaps()
    if not was_on:
        act(["swapon", name, *(["-p", str(priority)] if priority else [])])
    now = swaps()
    return {"stats": now[name], "new": not was_on} if name in now else {}


def swapoff(name: str) -> bool | None:
    """Disable swap space; return whether that succeeded, None if it was not enabled.

    Example::

        salt-g mount.swapoff /swapfile
    """
    if name not in swaps():
        return None
    act(["swapoff", name])
    return name not in swaps()


def _rows() -> list[list[str]]:
    with open("/proc/swaps", encoding="utf-8", errors="surrogateescape") as file:
        return [line.split() for line in file]
