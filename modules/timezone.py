"""Time zone of this machine, and whether its hardware clock runs in UTC.

systemd's timedatectl manages both; without it, or if systemd is not running, every distribution has its own
files.
"""

from __future__ import annotations

import filecmp
import os
import re

from salt_g import safe_files
from salt_g.api import grains
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import _systemd, _text_file
from salt_g.modules._programs import acts, is_installed, output, run

#: File of the C library: a link to, or a copy of, a file below ZONES.
LOCALTIME = "/etc/localtime"
ZONES = "/usr/share/zoneinfo"
#: File with the name of the zone, on Debian and Gentoo.
NAME_FILE = "/etc/timezone"
_ADJTIME = "/etc/adjtime"
_RCS = "/etc/default/rcS"
#: {os family: (file, setting)} of the families that also keep the zone in a shell file.
_SHELL_FILES = {"RedHat": ("/etc/sysconfig/clock", "ZONE"), "Suse": ("/etc/sysconfig/clock", "TIMEZONE")}
_FILE_MODE = 0o644


def get_zone() -> str:
    """Return the name of the time zone.

    Example::

        salt-g timezone.get_zone
    """
    if _has_timedatectl():
        said = _timedatectl()
        found = re.search(r"Time ?zone:\s+(\S+)", said)
        if found:
            return found.group(1)
        raise CommandExecutionError(f"Failed to parse timedatectl output: {said}")
    if grains["os_family"] in ("Debian", "Gentoo") and os.path.exists(NAME_FILE):
        return _read(NAME_FILE, "Problem reading timezone file").strip()
    if grains["os_family"] in _SHELL_FILES:
        path = _SHELL_FILES[grains["os_family"]][0]
        found = re.search(r"(?m)^\s*\w*ZONE\s*=\s*[\"']?([^\"'\n]*)", _read(path, "Problem reading"))
        if found:
            return found.group(1) or "UTC"
        raise CommandExecutionError(f"Unable to get timezone from {path}")
    return _zone_of_link()


def get_zonecode() -> str:
    """Return the short name of the zone at this time of the year, such as `CET`.

    Example::

        salt-g timezone.get_zonecode
    """
    return output(["date", "+%Z"])


def get_offset() -> str:
    """Return the offset of the local time from UTC, as `+0100`.

    Example::

        salt-g timezone.get_offset
    """
    return output(["date", "+%z"])


def set_zone(timezone: str) -> bool:
    """Set the time zone; return True. Raises CommandExecutionError for an unknown zone.

    Example::

        salt-g timezone.set_zone Europe/Berlin
    """
    zone = os.path.join(ZONES, timezone)
    if not os.path.isfile(zone):
        raise CommandExecutionError(f"Zone does not exist: {zone}")
    if _has_timedatectl():
        run(["timedatectl", "set-timezone", timezone])
    _link(zone)
    if grains["os_family"] in ("Debian", "Gentoo"):
        _text_file.rewrite_durably(NAME_FILE, f"{timezone.strip()}\n", mode=_FILE_MODE)
    elif grains["os_family"] in _SHELL_FILES:
        path, setting = _SHELL_FILES[grains["os_family"]]
        _replace(path, rf"(?m)^{setting}=.*", f'{setting}="{timezone}"')
    return True


def zone_compare(timezone: str) -> bool:
    """Return whether this machine's time zone is `timezone`.

    If the name of the machine's zone is unknown, its file is compared with that of `timezone`.

    Example::

        salt-g timezone.zone_compare Europe/Berlin
    """
    try:
        return timezone == get_zone()
    except CommandExecutionError:
        zone = os.path.join(ZONES, timezone)
    if not os.path.exists(zone):
        raise InvocationError(f'Can\'t find a local timezone "{timezone}"')
    try:
        return filecmp.cmp(LOCALTIME, zone, shallow=False)
    except OSError as exc:
        raise CommandExecutionError(
            f"Failed to read {LOCALTIME} to determine current timezone: {exc.strerror}"
        ) from exc


def get_hwclock() -> str | None:
    """Return the mode of the hardware clock: `UTC` or `localtime`; None without one.

    Example::

        salt-g timezone.get_hwclock
    """
    if _has_timedatectl():
        said = _timedatectl()
        found = re.search(r"(?i)rtc in local tz:\s*(\w+)", said)
        if found:
            return "localtime" if found.group(1).lower() == "yes" else "UTC"
        raise CommandExecutionError(f"Failed to parse timedatectl output: {said}")
    if grains["os_family"] == "Debian" and os.path.exists(_RCS):
        found = re.search(r"(?m)^\s*UTC=(\S+)", _read(_RCS, "Problem reading"))
        if found:
            return "UTC" if found.group(1).lower() == "yes" else "localtime"
    if os.path.exists(_ADJTIME):
        return _read(_ADJTIME, "Problem reading").rstrip("\n").rpartition("\n")[2]
    if os.path.exists("/dev/rtc"):
        raise CommandExecutionError(f"Unable to get hwclock timezone from {_ADJTIME}")
    return None


def set_hwclock(clock: str) -> bool:
    """Set the mode of the hardware clock, `UTC` or `localtime`; return whether that succeeded.

    Example::

        salt-g timezone.set_hwclock UTC
    """
    if clock.lower() not in ("utc", "localtime"):
        raise InvocationError("localtime and UTC are the only permitted values")
    is_local = clock == "localtime"
    if _has_timedatectl():
        return acts(["timedatectl", "set-local-rtc", "true" if is_local else "false"])
    if grains["os_family"] == "Debian" and os.path.exists(_RCS):
        _replace(_RCS, r"(?m)^UTC=.*", f"UTC={'no' if is_local else 'yes'}")
        return True
    return acts(["hwclock", "--systohc", "--localtime" if is_local else "--utc"])


def _has_timedatectl() -> bool:
    """Return whether timedatectl works; it fails if systemd is not running (as in a container)."""
    return _systemd.is_booted() and is_installed("timedatectl")


def _timedatectl() -> str:
    finished = run(["timedatectl"])
    if finished["retcode"] != 0:
        raise CommandExecutionError(f"timedatectl failed: {finished['stderr']}")
    return finished["stdout"]


def _zone_of_link() -> str:
    try:
        target = os.path.normpath(os.path.join(os.path.dirname(LOCALTIME), os.readlink(LOCALTIME)))
    except OSError as exc:
        raise CommandExecutionError(f"Unable to determine timezone: {LOCALTIME}: {exc.strerror}") from exc
    if target.startswith(f"{ZONES}/"):
        return target[len(ZONES) + 1 :]
    raise CommandExecutionError("Unable to determine timezone")


def _link(zone: str) -> None:
    """Replace the link atomically, so that the machine always has a zone."""
    temporary = f"{LOCALTIME}.salt-g"
    if os.path.lexists(temporary):
        safe_files.remove_file(temporary)
    safe_files.symlink(zone, temporary)
    safe_files.rename(temporary, LOCALTIME)


def _read(path: str, problem: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as exc:
        raise CommandExecutionError(f"{problem} {path}: {exc.strerror}") from exc


def _replace(path: str, pattern: str, line: str) -> None:
    text = _read(path, "Problem reading")
    _text_file.rewrite_durably(path, re.sub(pattern, line, text), mode=_FILE_MODE)
