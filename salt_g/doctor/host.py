"""Checks of the host that master and minion share: settings, versions, disk, files, clock, processes.

Every check is a generator of findings over settings; it changes nothing. Units: bytes, seconds.
"""

from __future__ import annotations

import errno
import os
import shutil
import socket
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from salt_g.config import Settings
from salt_g.data.version_conditions import numbers
from salt_g.doctor.finding import Finding, error, good, warning
from salt_g.report import versions_report

#: Free room below which a disk is nearly full, and full.
LITTLE_ROOM, NO_ROOM = 512 * 1024 * 1024, 32 * 1024 * 1024
#: Free inodes below which a disk is nearly full, whatever room it has for bytes.
_FEW_INODES = 1000
#: Ways to ask a peer at a port wait this long.
CONNECT_TIMEOUT = 3.0
#: Every ZeroMQ peer greets with these bytes first.
_ZMQ_GREETING = b"\xff"
#: A clock before this is wrong for certain: the day this check was written.
_EARLIEST = 1_795_000_000
#: How far two clocks may lie apart before that is odd, and before it is wrong (s).
_ODD_CLOCK, _WRONG_CLOCK = 5.0, 300.0
_NEEDED = {"gevent": "24.2.1", "PyZMQ": "26.0", "msgpack": "1.0.8", "pycryptodome": "3.20", "Jinja2": "3.1.4"}


def settings(found: Settings, role: str) -> Iterator[Finding]:
    """Tell what reading the settings had to say."""
    for text in found.warnings:
        yield warning("settings", text, f"`salt-g config --role {role} --changed` shows what is in effect")
    origins = sorted({origin.partition(":")[0] for origin in found.origins.values() if "/" in origin})
    yield good("settings", f"read from {', '.join(origins) or 'defaults alone'}")


def versions() -> Iterator[Finding]:
    """Compare the libraries with the oldest that salt-g is tested with."""
    installed = versions_report.information()["Dependency Versions"]
    for name, least in _NEEDED.items():
        has = installed.get(name)
        if has is None:
            # One file carries its libraries without their metadata.
            continue
        if numbers(has) < numbers(least):
            yield error("versions", f"{name} {has} is older than {least}", f"pip install --upgrade {name}")
            return
    told = (f"{name} {installed[name]}" for name in _NEEDED if installed.get(name))
    yield good("versions", ", ".join(told) or "as built into this file")


def disks(opts: Mapping[str, Any]) -> Iterator[Finding]:
    """Look at the room where caches, keys and logs are."""
    seen: set[int] = set()
    for name in ("cachedir", "pki_dir", "log_file"):
        path = _existing(str(opts.get(name) or ""))
        if not path or (device := os.stat(path).st_dev) in seen:
            continue
        seen.add(device)
        found, free = os.statvfs(path), shutil.disk_usage(path).free
        text = f"{free // 1024 // 1024} MiB free at {path}"
        if found.f_flag & os.ST_RDONLY:
            advice = f"mount it writable, or set {name} to another place; dmesg tells of a broken disk"
            yield error("disk", f"{path} is on a disk that is read-only", advice)
        elif found.f_files and found.f_favail < _FEW_INODES:
            text = f"room for {found.f_favail} more files at {path}, whatever their size"
            yield error("disk", text, "remove many small files: df -i shows the disk's inodes")
        elif free < NO_ROOM:
            yield error("disk", text, f"make room: {name} needs it, returns are kept there")
        elif free < LITTLE_ROOM:
            yield warning("disk", text, "make room before it is full")
        else:
            yield good("disk", text)


def directories(opts: Mapping[str, Any]) -> Iterator[Finding]:
    """Look at who may write where keys and caches are: the daemon, and nobody else."""
    for name in ("pki_dir", "cachedir"):
        path = str(opts.get(name) or "")
        try:
            mode = stat.S_IMODE(os.stat(path).st_mode)
        except (FileNotFoundError, PermissionError):
            # What is not there yet is made; what may not be looked at is told with the keys.
            continue
        if mode & 0o022:
            text = f"{name} {path} has mode {mode:04o}: others may put files there"
            yield error("permissions", text, f"chmod go-w {path}")
        elif not os.access(path, os.W_OK | os.X_OK):
            advice = f"be the daemon's user, or chown -R {opts.get('user', 'root')} {path}"
            yield warning("permissions", f"{name} {path} cannot be written by this user", advice)


def private_files(directory: str, names: Iterable[str]) -> Iterator[Finding]:
    """Look at who may read the private files of a directory."""
    for name in names:
        path = os.path.join(directory, name)
        try:
            found = os.stat(path)
        except FileNotFoundError:
            yield warning("keys", f"{path} is not there yet", "it is made at the first start")
            continue
        except PermissionError:
            yield warning("keys", f"{path} cannot be looked at by this user", "be the daemon's user")
            continue
        mode = stat.S_IMODE(found.st_mode)
        if mode & 0o077:
            yield error("keys", f"{path} has mode {mode:04o}: others may read it", f"chmod 600 {path}")
        else:
            yield good("keys", f"{path} is private")


def clock() -> Iterator[Finding]:
    """Look whether the clock can be right; tokens, jobs and certificates depend on it."""
    now = time.time()
    shown = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(now))
    if now < _EARLIEST:
        yield error("clock", f"it is {shown} here", "set the clock, and keep it set: apt install chrony")
    else:
        yield good("clock", shown)


def compared_clock(ahead: float, master: str) -> Finding:
    """Tell how far the clock is ahead of a master's (s), negative behind it."""
    way = "ahead of" if ahead > 0 else "behind"
    text = f"{_shown_seconds(abs(ahead))} {way} {master}'s"
    advice = (
        "set the wrong one of the two, and keep both set: apt install chrony; timedatectl shows how it is"
    )
    if abs(ahead) >= _WRONG_CLOCK:
        return error("clock", text, f"schedules, certificates and job ids go wrong: {advice}")
    if abs(ahead) >= _ODD_CLOCK:
        return warning("clock", text, advice)
    return good("clock", f"as {master}'s, within {_ODD_CLOCK:g} s")


def _shown_seconds(seconds: float) -> str:
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {name}"
    return f"{seconds:.1f} seconds"


def process(pid_file: str, role: str) -> Iterator[Finding]:
    """Look whether the daemon runs."""
    try:
        with open(pid_file, encoding="ascii") as file:
            pid = int(file.read())
        if not _is_of_salt(pid):
            raise ProcessLookupError(errno.ESRCH, "a crash left the file behind")
    except (OSError, ValueError) as exc:
        if isinstance(exc, PermissionError):
            yield good("process", f"the {role} runs, as another user")
            return
        yield warning("process", f"no {role} runs here ({pid_file})", f"salt-g {role} -d, or its service")
        return
    yield good("process", f"the {role} runs, pid {pid}")


def _is_of_salt(pid: int) -> bool:
    """Return whether a process is a daemon, ours or stock's: after a crash its pid may be anybody's."""
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return b"salt" in file.read()


def port(about: str, host: str, number: int, advice: str) -> Iterator[Finding]:
    """Look whether a ZeroMQ peer answers at a port."""
    place = f"{host}:{number}"
    try:
        with socket.create_connection((host, number), CONNECT_TIMEOUT) as peer:
            peer.settimeout(CONNECT_TIMEOUT)
            greeting = peer.recv(1)
    except TimeoutError:
        yield error(about, f"{place} does not answer within {CONNECT_TIMEOUT:g} s: a firewall?", advice)
    except OSError as exc:
        yield error(about, f"{place}: {exc.strerror or exc}", advice)
    else:
        if greeting == _ZMQ_GREETING:
            yield good(about, f"{place} answers")
        else:
            yield error(about, f"{place} is something else than a master", advice)


def free_port(about: str, interface: str, number: int) -> Iterator[Finding]:
    """Look whether a daemon that does not run could listen at a port of ours."""
    place = f"{interface}:{number}"
    try:
        with socket.socket(socket.AF_INET6 if ":" in interface else socket.AF_INET) as tried:
            # As the daemon does: connections that ended a moment ago stop nobody.
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((interface, number))
    except OSError as exc:
        if exc.errno == errno.EADDRINUSE:
            advice = f"`ss -ltnp 'sport = :{number}'` names it"
            yield error(about, f"{place} is taken by another program", advice)
        elif exc.errno == errno.EADDRNOTAVAIL:
            yield error(about, f"{place} is not an address of this host", "set `interface:` to one that is")


def _existing(path: str) -> str:
    """Return a path or the nearest directory above it that exists; "" for what is no path."""
    if not path.startswith("/"):
        return ""
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return path
