"""Grains of memory and swap."""

from __future__ import annotations

from salt_g.grains._sources import lines

__virtualname__ = "core"

#: {line of /proc/meminfo (KiB): grain (MiB, rounded down)}
LINES = {"MemTotal": "mem_total", "SwapTotal": "swap_total"}


def memory(root: str = "/") -> dict[str, int]:
    """Return `mem_total` and `swap_total` in MiB."""
    found = dict.fromkeys(LINES.values(), 0)
    for line in lines("/proc/meminfo", root):
        key, _, value = line.partition(":")
        if key in LINES:
            found[LINES[key]] = int(value.split()[0]) // 1024
    return found
