"""Kernel counters, read from /proc.

Shapes: counters are int or float; anything else stays text.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.modules.status._parsing import (
    parse_cpuinfo,
    parse_cpustats,
    parse_diskstats,
    parse_meminfo,
    parse_netdev,
    parse_netstats,
    parse_vmstats,
)


def loadavg() -> dict[str, float]:
    """Return the load averages of the last 1, 5 and 15 minutes.

    Example::

        salt-g status.loadavg
    """
    one, five, fifteen = os.getloadavg()
    return {"1-min": one, "5-min": five, "15-min": fifteen}


def cpustats() -> dict[str, Any]:
    """Return the times of all processors together, interrupts, and the other counters of /proc/stat.

    `cpu` is {kind: time}, `intr` is {"total", "irqs"}; of any other line, only the first number is returned.

    Example::

        salt-g status.cpustats
    """
    return parse_cpustats(_lines("stat"))


def meminfo() -> dict[str, dict[str, str]]:
    """Return the lines of /proc/meminfo, each {'value', 'unit'}, all text.

    Example::

        salt-g status.meminfo
    """
    return parse_meminfo(_lines("meminfo"))


def cpuinfo() -> dict[str, Any]:
    """Return {key: text} from /proc/cpuinfo, of the last processor if there are several; `flags` is a list.

    Example::

        salt-g status.cpuinfo
    """
    return parse_cpuinfo(_lines("cpuinfo"))


def diskstats() -> dict[str, dict[str, Any]]:
    """Return reads, writes (sectors, ms) and queue of each block device.

    Example::

        salt-g status.diskstats
    """
    return parse_diskstats(_lines("diskstats"))


def vmstats() -> dict[str, Any]:
    """Return the counters of /proc/vmstat.

    Example::

        salt-g status.vmstats
    """
    return parse_vmstats(_lines("vmstat"))


def nproc() -> int:
    """Return the number of processors that this process may use.

    Example::

        salt-g status.nproc
    """
    return len(os.sched_getaffinity(0))


def netstats() -> dict[str, dict[str, Any]]:
    """Return {protocol: {counter: number}} from /proc/net/netstat.

    Example::

        salt-g status.netstats
    """
    return parse_netstats(_lines("net/netstat"))


def netdev() -> dict[str, dict[str, Any]]:
    """Return bytes, packets and errors of each network interface.

    Example::

        salt-g status.netdev
    """
    return parse_netdev(_lines("net/dev"))


def version() -> str:
    """Return the kernel's own description of its version (/proc/version).

    Example::

        salt-g status.version
    """
    return "\n".join(_lines("version")).strip()


def _lines(name: str) -> list[str]:
    """Return the non-empty lines of a file in /proc, or [] if it cannot be read."""
    try:
        with open(f"/proc/{name}", encoding="utf-8", errors="replace") as file:
            return [line for line in file.read().splitlines() if line.strip()]
    except OSError:
        return []
