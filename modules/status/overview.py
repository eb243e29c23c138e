"""Summaries of counters and program output: uptime, users, processes, disk usage.

Shapes: stock's. Units: bytes, seconds.
"""

from __future__ import annotations

import datetime
import fnmatch
import logging
import os
import re
import time
from typing import Any

import salt_g.modules.status.counters as counters
from salt_g.api import call, grains
from salt_g.errors import CommandExecutionError, NoSuchFunction

log = logging.getLogger(__name__)
#: Titles of the column of `ps` that holds the command.
TITLES = ("COMMAND", "CMD")


def uptime() -> dict[str, Any]:
    """Return how long this machine has been up, since when, and how many users are logged in.

    `time` is `hours:minutes` beyond the whole `days`.

    Example::

        salt-g status.uptime
    """
    now = time.time()
    seconds = int(_seconds_up())
    booted = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=now - seconds)
    days, rest = divmod(seconds, 86400)
    found = {
        "seconds": seconds,
        "since_iso": booted.isoformat(),
        "since_t": int(now - seconds),
        "days": days,
        "time": f"{rest // 3600}:{rest % 3600 // 60}",
    }
    if call("cmd.which", "who"):
        found["users"] = len(call("cmd.run", "who -s").split("\n"))
    return found


def diskusage(*args: str) -> dict[str, dict[str, int | None]]:
    """Return {path: {"available", "total"}} in bytes; the values are None if unknown.

    Arguments are paths (`/home`) and globs of the types of mounted file systems (`ext?`); without arguments,
    all mount points are returned.

    Example::

        salt-g status.diskusage / ext4
    """
    paths = [arg for arg in args if arg.startswith("/")]
    kinds = [arg for arg in args if not arg.startswith("/")] if args else ["*"]
    mounted = [point for point, kind in _mounts() if any(fnmatch.fnmatchcase(kind, k) for k in kinds)]
    return {path: _space(path) for path in dict.fromkeys(paths + mounted) if os.path.exists(path)}


def w() -> list[dict[str, str]]:
    """Return the logged-in users and their activity.

    Example::

        salt-g status.w
    """
    names = ("user", "tty", "login", "idle", "jcpu", "pcpu", "what")
    rows = (line.split(None, 6) for line in call("cmd.run", "w -fh").splitlines() if line)
    return [dict(zip(names, [*row, ""][:7], strict=False)) for row in rows]


def procs() -> dict[str, dict[str, str]]:
    """Return {pid: {'user', 'cmd'}} of all processes.

    Example::

        salt-g status.procs
    """
    header, *rows = (line.split() for line in _process_list() if line)
    user, number, command = (_column(header, *titles) for titles in (("USER", "UID"), ("PID",), TITLES))
    return {row[number]: {"user": row[user], "cmd": " ".join(row[command:])} for row in rows}


def pid(sig: str) -> str:
    """Return the ids, one per line, of processes whose lines in the process list match a regular expression.

    Example::

        salt-g status.pid 'nginx: master'
    """
    own = str(os.getpid())
    fitting = [line for line in _process_list() if own not in line and re.search(sig, line)]
    return "\n".join(line.split()[1] for line in fitting)


def time_(format: str = "%A, %d. %B %Y %I:%M%p") -> str:
    """Return the local time; `format` is that of strftime.

    Example::

        salt-g status.time '%s'
    """
    return datetime.datetime.now().strftime(format)


def custom() -> dict[str, Any]:
    """Return the values selected by the settings `status.<function>.custom`.

    For example, `status.loadavg.custom: [1-min]` includes that value of `status.loadavg`.

    Example::

        salt-g status.custom
    """
    found: dict[str, Any] = {}
    for key, wanted in call("config.dot_vals", "status").items():
        function = key.rpartition(".")[0]
        if function != "status.custom":
            found.update(_values_of(function, wanted))
    return found


def all_status() -> dict[str, Any]:
    """Return {function: result} of the functions of this module that describe the whole machine.

    These are `cpuinfo`, `cpustats`, `diskstats`, `diskusage`, `loadavg`, `meminfo`, `netdev`, `netstats`,
    `uptime`, `vmstats` and `w`.

    Example::

        salt-g status.all_status
    """
    return {
        "cpuinfo": counters.cpuinfo(),
        "cpustats": counters.cpustats(),
        "diskstats": counters.diskstats(),
        "diskusage": diskusage(),
        "loadavg": counters.loadavg(),
        "meminfo": counters.meminfo(),
        "netdev": counters.netdev(),
        "netstats": counters.netstats(),
        "uptime": uptime(),
        "vmstats": counters.vmstats(),
        "w": w(),
    }


def _seconds_up() -> float:
    try:
        with open("/proc/uptime", encoding="ascii") as file:
            return float(file.read().split()[0])
    except OSError as exc:
        raise CommandExecutionError(f"File /proc/uptime cannot be read: {exc}") from exc


def _mounts() -> list[tuple[str, str]]:
    """Return (mount point, file system type) of all mounts."""
    try:
        with open("/proc/mounts", encoding="utf-8", errors="replace") as file:
            rows = [line.split() for line in file]
    except OSError:
        return []
    return [(row[1], row[2]) for row in rows if len(row) > 2]


def _space(path: str) -> dict[str, int | None]:
    try:
        stats = os.statvfs(path)
    except OSError as exc:
        log.warning("space of %s is unknown: %s", path, exc)
        return {"available": None, "total": None}
    return {"available": stats.f_bavail * stats.f_bsize, "total": stats.f_blocks * stats.f_bsize}


def _process_list() -> list[str]:
    listed: str = call("cmd.run", grains["ps"], python_shell=True)
    return listed.splitlines()


def _column(header: list[str], *names: str) -> int:
    return next((header.index(name) for name in names if name in header), 0)


def _values_of(function: str, wanted: list[str]) -> dict[str, Any]:
    try:
        values = call(function)
    except NoSuchFunction:
        log.warning("custom status requests %s, which is not available here", function)
        return {}
    return {name: values.get(name, "UNKNOWN") for name in wanted}
