"""Status of the host: load, memory, disks, uptime."""

from __future__ import annotations

import time
from typing import Any

from salt_g.resources.ssh import _remote


def uptime() -> dict[str, Any]:
    """Return how long the host has been up.

    Example::

        salt-g web-01 status.uptime
    """
    text = _remote.output("cat /proc/uptime; who 2>/dev/null | wc -l; date +%s")
    up, users, now = text.splitlines()[:3]
    seconds = int(float(up.split()[0]))
    since = int(now) - seconds
    days, rest = divmod(seconds, 86400)
    return {
        "seconds": seconds,
        "since_iso": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(since)),
        "since_t": since,
        "days": days,
        "time": f"{rest // 3600}:{rest % 3600 // 60:02}",
        "users": int(users),
    }


def loadavg() -> dict[str, float]:
    """Return the load averages.

    Example::

        salt-g web-01 status.loadavg
    """
    one, five, fifteen = map(float, _remote.output("cat /proc/loadavg").split()[:3])
    return {"1-min": one, "5-min": five, "15-min": fifteen}


def meminfo() -> dict[str, dict[str, str]]:
    """Return the memory usage.

    Example::

        salt-g web-01 status.meminfo
    """
    rows = (line.split() for line in _remote.output("cat /proc/meminfo").splitlines())
    return {
        row[0].rstrip(":"): {"value": row[1], "unit": row[2]} if len(row) > 2 else {"value": row[1]}
        for row in rows
        if len(row) > 1
    }


def diskusage(*args: str) -> dict[str, dict[str, int]]:
    """Return the available and total bytes of all file systems, or of those of the given paths.

    Example::

        salt-g web-01 status.diskusage / /var
    """
    lines = _remote.output('df -Pk "$@" 2>/dev/null; :', *args).splitlines()[1:]
    rows = [line.split(None, 5) for line in lines]
    named = zip(args, rows, strict=False) if args else ((row[5], row) for row in rows if len(row) == 6)
    return {name: {"available": int(row[3]) * 1024, "total": int(row[1]) * 1024} for name, row in named}


def nproc() -> int:
    """Return the number of processors.

    Example::

        salt-g web-01 status.nproc
    """
    return int(_remote.output("getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c ^processor /proc/cpuinfo"))


def version() -> str:
    """Return the kernel's version string.

    Example::

        salt-g web-01 status.version
    """
    return _remote.output("cat /proc/version").strip()


def pid(sig: str) -> str:
    """Return the pids of the processes whose command line contains a text, one per line.

    Example::

        salt-g web-01 status.pid sshd
    """
    script = "ps -eo pid=,args= 2>/dev/null || ps -o pid,args"
    rows = (line.split(None, 1) for line in _remote.output(script).splitlines())
    return "\n".join(row[0] for row in rows if len(row) > 1 and sig in row[1] and script[:14] not in row[1])


def all_status() -> dict[str, Any]:
    """Return disk usage, load averages, memory, processors, uptime and kernel version.

    Example::

        salt-g web-01 status.all_status
    """
    return {
        "diskusage": diskusage(),
        "loadavg": loadavg(),
        "meminfo": meminfo(),
        "nproc": nproc(),
        "uptime": uptime(),
        "version": version(),
    }
