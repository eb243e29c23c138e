"""Processes to restart after an upgrade: those that still use deleted files.

The processes are found in /proc, their services by control group, their packages through the package manager.

Source: proc(5).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.api import call, functions
from salt_g.errors import CommandExecutionError
from salt_g.modules import _systemd
from salt_g.process.offload import offload_in_daemon

__all__ = ["restartcheck"]

_DELETED = " (deleted)"
#: Beginnings of the paths of files that disappear without an upgrade.
_SHORT_LIVED = (
    *("/dev/", "/drm", "/home/", "/i915", "/memfd:", "/run/", "/tmp/", "/SYSV", "/[aio]"),
    *("/usr/lib/locale/", "/var/cache/fontconfig/", "/var/lib/nagios3/spool/", "/var/lib/postgresql/"),
    *("/var/lib/vdr/", "/var/local/log/", "/var/local/run/", "/var/local/tmp/", "/var/log/", "/var/run/"),
    "/var/tmp/",
)
#: The unit in the path of a control group; units of user managers are not restarted.
_UNIT = re.compile(r":/system\.slice/(?:[^/]+\.slice/)*([^/\n]+\.service)")
_SECONDS_OF_MINUTE = 60


class Holder(NamedTuple):
    """Process that uses a deleted file as code or data."""

    pid: int
    name: str
    program: str
    file: str
    unit: str | None

    def shown(self) -> str:
        """Return the process and its file as a line of the report."""
        return f"\t{self.pid} {self.program} (file: {self.file})"


class _Found(NamedTuple):
    """Findings for one package: its processes as lines of the report, and the services to restart."""

    processes: list[str]
    units: list[str]
    scripts: list[str]


def restartcheck(
    ignorelist: Any = None,
    blacklist: Any = None,
    excludepid: Any = None,
    verbose: bool = True,
    timeout: float = 5,
) -> Any:
    """Return the packages with processes that should be restarted, as text.

    ignorelist
        Packages to ignore: one, or a list; `screen` and `systemd` by default.
    blacklist, excludepid
        Files and process ids to ignore.
    verbose
        False returns the names of the packages as a list.
    timeout
        Time limit in minutes.

    Example::

        salt-g restartcheck.restartcheck
    """
    if "pkg.owner" not in functions:
        return {"result": False, "comment": "No available package manager can report the package of a file."}
    if os.geteuid() != 0:
        return {"result": False, "comment": "Could not get list of processes. (Do you have root access?)"}
    deadline = time.monotonic() + timeout * _SECONDS_OF_MINUTE
    ignored = _listed(ignorelist) or ["screen", "systemd"]
    files, pids = _listed(blacklist), [int(pid) for pid in _listed(excludepid)]
    holders = offload_in_daemon(lambda: list(holders_below("/proc")))
    counted = [one for one in holders if one.file not in files and one.pid not in pids]
    found = _by_package(counted, ignored, deadline)
    needs_reboot = _needs_reboot()
    if not found and not needs_reboot:
        return "No packages seem to need to be restarted."
    restartable = {name: one for name, one in found.items() if one.units or one.scripts}
    others = {name: one for name, one in found.items() if name not in restartable}
    if not verbose:
        return [*restartable, *others, *(["System restart required."] if needs_reboot else [])]
    return _text(restartable, others, needs_reboot)


def holders_below(proc: str) -> Iterator[Holder]:
    """Yield each use of a deleted file by a process, without the processes of containers."""
    ours = _identity(os.path.join(proc, "self", "root"))
    for pid in sorted(int(entry) for entry in os.listdir(proc) if entry.isdigit()):
        place = os.path.join(proc, str(pid))
        try:
            with open(os.path.join(place, "maps"), encoding="utf-8", errors="replace") as maps:
                gone = dict.fromkeys(filter(None, map(_gone, maps)))
            # Files in containers are the responsibility of their operators.
            if not gone or _identity(os.path.join(place, "root")) != ours:
                continue
            program = os.readlink(os.path.join(place, "exe")).removesuffix(_DELETED)
            name, unit = _read(place, "comm").strip(), _UNIT.search(_read(place, "cgroup"))
        except OSError:
            # The process has ended.
            continue
        yield from (Holder(pid, name, program, file, unit[1] if unit else None) for file in gone)


def _gone(line: str) -> str | None:
    """Return the file of a line of `maps` if it was deleted and is relevant."""
    fields = line.rstrip("\n").split(None, 5)
    if len(fields) < 6 or not fields[5].endswith(_DELETED):
        return None
    path = fields[5].removesuffix(_DELETED)
    return None if path.startswith(_SHORT_LIVED) or path.endswith("icon-theme.cache") else path


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _read(place: str, name: str) -> str:
    with open(os.path.join(place, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def _by_package(holders: Iterable[Holder], ignored: list[str], deadline: float) -> dict[str, _Found]:
    """Return {package: findings}; a program without a package is listed by its process name."""
    found: dict[str, _Found] = {}
    owners: dict[str, str] = {}
    for holder in holders:
        if time.monotonic() > deadline:
            raise CommandExecutionError("restartcheck: the package manager took longer than `timeout`")
        if holder.program not in owners:
            owners[holder.program] = _owner(holder.program) or holder.name
        package = owners[holder.program]
        if package in ignored:
            continue
        if package not in found:
            found[package] = _Found([], [], _scripts(package))
        _add(found[package].processes, holder.shown())
        _add(found[package].units, holder.unit)
    return found


def _owner(program: str) -> str:
    """Return the package of a program, which may list it as /bin/... although it is in /usr/bin now."""
    for path in (program, program.removeprefix("/usr")):
        owner = call("pkg.owner", path)
        if owner and isinstance(owner, str):
            return owner
    return ""


def _scripts(package: str) -> list[str]:
    """Return the init scripts of a package, or [] on a machine booted with systemd."""
    if _systemd.is_booted():
        return []
    files = call("pkg.file_list", package).get("files", [])
    paths = (path if path.startswith("/") else f"/{path}" for path in files)
    return [
        os.path.basename(path)
        for path in paths
        if path.startswith("/etc/init.d/") and not path.endswith(".sh")
    ]


def _needs_reboot() -> bool:
    """Return whether a newer kernel is installed, or False if `kernelpkg` is missing or cannot tell."""
    if "kernelpkg.needs_reboot" not in functions:
        return False
    try:
        return bool(call("kernelpkg.needs_reboot"))
    except CommandExecutionError:
        return False


def _text(restartable: Mapping[str, _Found], others: Mapping[str, _Found], needs_reboot: bool) -> str:
    parts = ["System restart required.\n\n"] if needs_reboot else []
    count = len(restartable) + len(others)
    if count:
        parts.append(f"Found {count} processes using old versions of upgraded files.\n")
        parts.append("These are the packages:\n")
    if restartable:
        parts.append(
            f"Of these, {len(restartable)} seem to contain systemd service definitions or init scripts"
            " which can be used to restart them:\n"
        )
        parts += _processes(restartable)
        units = dict.fromkeys(unit for one in restartable.values() for unit in one.units)
        scripts = dict.fromkeys(script for one in restartable.values() for script in one.scripts)
        if units:
            parts.append("\n\nThese are the systemd services:\n")
            parts.append("\n".join(f"systemctl restart {unit}" for unit in units))
        if scripts:
            parts.append("\n\nThese are the initd scripts:\n")
            parts.append("\n".join(f"service {script} restart" for script in scripts))
    if others:
        parts.append(f"\n\nThese processes {len(others)} do not seem to have an associated init script")
        parts.append(" to restart them:\n")
        parts += _processes(others)
    return "".join(parts)


def _processes(found: Mapping[str, _Found]) -> list[str]:
    return [f"{name}:\n" + "".join(f"{line}\n" for line in one.processes) for name, one in found.items()]


def _add(words: list[str], word: str | None) -> None:
    if word and word not in words:
        words.append(word)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
