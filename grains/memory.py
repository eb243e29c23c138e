"""Grains of memory and swap."""

from __future__ import annotations

from salt_g.grains._sources import lines

__virtualname__ = "core"

#: Lines of /proc/meminfo (in KiB) and the grains (in MiB, rounded down) made of them.
LINES = {"MemTotal": "mem_total", "SwapTotal": "swap_total"}


def memory(root: str = "/") -> dict[str, int]:
    """Return `mem_total` and `swap_total` in MiB."""
    found = dict.fromkeys(LINES.values(), 0)
    for line in lines("/proc/meminfo", root):
        key, _, value = line.partition(":")
        if key in LINES:
            found[LINES[key]] = int(value.split()[0]) // 1024
    return found
