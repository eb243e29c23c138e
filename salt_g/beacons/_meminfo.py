"""Memory of this machine, from /proc/meminfo."""

from __future__ import annotations


def figures() -> dict[str, int]:
    """Return all entries as {name: KiB}."""
    with open("/proc/meminfo", encoding="ascii") as file:
        return {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in file)}


def percent_used(total: int, free: int) -> float:
    """Return the used percentage, or 0 if the total is 0."""
    return round(100 * (total - free) / total, 1) if total else 0.0
