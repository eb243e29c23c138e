"""Checks of the host shared by master and minion: settings, versions, disk, files, clock, processes.

Every check is a generator of findings from settings; it changes nothing. Units: bytes, seconds.
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
from salt_g.doctor.finding import DoctorFinding, error, good, warning
from salt_g.errors import ConfigError
from salt_g.report import versions_report
from salt_g.transport.port_probe import Kind, Service, service_at

#: Free space below which a disk counts as nearly full, and as full (bytes).
LITTLE_ROOM, NO_ROOM = 512 * 1024 * 1024, 32 * 1024 * 1024
#: Number of free inodes below which a disk counts as nearly full.
_FEW_INODES = 1000
#: Timeout for connecting to a peer's port (s).
CONNECT_TIMEOUT = 3.0
#: Time before which a clock is certainly wrong, because this check was written then (s since the epoch).
_EARLIEST = 1_795_000_000
#: Differences between two clocks that cause a warning, and an error (s).
_ODD_CLOCK, _WRONG_CLOCK = 5.0, 300.0
_NEEDED = {"gevent": "24.2.1", "PyZMQ": "26.0", "msgpack": "1.0.8", "pycryptodome": "3.20", "Jinja2": "3.1.4"}


def settings(found: Settings, role: str) -> Iterator[DoctorFinding]:
    """Report problems in the settings."""
    for text in found.warnings:
        yield warning(
            "settings", text, f"`salt-g config --role {role} --changed` shows the effective settings"
        )
    origins = sorted({origin.partition(":")[0] for origin in found.origins.values() if "/" in origin})
    yield good("settings", f"read from {', '.join(origins) or 'defaults alone'}")


def versions() -> Iterator[DoctorFinding]:
    """Compare the libraries with the oldest versions tested with salt-g."""
    installed = versions_report.information()["Dependency Versions"]
    for name, least in _NEEDED.items():
        has = installed.get(name)
        if has is None:
            # The one-file program contains its libraries without their metadata.
            continue
        if numbers(has) < numbers(least):
            yield error("versions", f"{name} {has} is older than {least}", f"pip install --upgrade {name}")
            return
    parts = (f"{name} {installed[name]}" for name in _NEEDED if installed.get(name))
    yield good("versions", ", ".join(parts) or "as built into the one-file program")


def disks(opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check the free space for caches, keys and logs."""
    seen: set[int] = set()
    for name in ("cachedir", "pki_dir", "log_file"):
        path = _existing(str(opts.get(name) or ""))
        if not path or (device := os.stat(path).st_dev) in seen:
            continue
        seen.add(device)
        found, free = os.statvfs(path), shutil.disk_usage(path).free
        text = f"{free // 1024 // 1024} MiB free at {path}"
        if found.f_flag & os.ST_RDONLY:
            advice = f"mount it writable, or set {name} to another path; check dmesg for a broken disk"
            yield error("disk", f"{path} is on a read-only disk", advice)
        elif found.f_files and found.f_favail < _FEW_INODES:
            text = f"room for {found.f_favail} more files at {path}, regardless of their size"
            yield error("disk", text, "remove many small files: df -i shows the disk's inodes")
        elif free < NO_ROOM:
            yield error("disk", text, f"free some space: {name} needs it to store returns")
        elif free < LITTLE_ROOM:
            yield warning("disk", text, "free some space before it is full")
        else:
            yield good("disk", text)


def directories(opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check that only the daemon can write to the directories of keys and caches."""
    for name in ("pki_dir", "cachedir"):
        path = str(opts.get(name) or "")
        try:
            mode = stat.S_IMODE(os.stat(path).st_mode)
        except (FileNotFoundError, PermissionError):
            # The daemon creates missing directories; unreadable ones are reported with the keys.
            continue
        if mode & 0o022:
            text = f"{name} {path} has mode {mode:04o}: other users can write to it"
            yield error("permissions", text, f"chmod go-w {path}")
        elif not os.access(path, os.W_OK | os.X_OK):
            advice = f"run as the daemon's user, or chown -R {opts.get('user', 'root')} {path}"
            yield warning("permissions", f"{name} {path} cannot be written by this user", advice)


def private_files(directory: str, names: Iterable[str]) -> Iterator[DoctorFinding]:
    """Check who can read the private files in a directory."""
    for name in names:
        path = os.path.join(directory, name)
        try:
            found = os.stat(path)
        except FileNotFoundError:
            yield warning("keys", f"{path} does not exist yet", "it is created at the first start")
            continue
        except PermissionError:
            yield warning("keys", f"{path} cannot be read by this user", "run this as the daemon's user")
            continue
        mode = stat.S_IMODE(found.st_mode)
        if mode & 0o077:
            yield error("keys", f"{path} has mode {mode:04o}: other users can read it", f"chmod 600 {path}")
        else:
            yield good("keys", f"{path} is private")


def clock() -> Iterator[DoctorFinding]:
    """Check that the clock is plausible; tokens, jobs and certificates depend on it."""
    now = time.time()
    shown = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(now))
    if now < _EARLIEST:
        yield error("clock", f"{shown}", "set the clock, and keep it set: apt install chrony")
    else:
        yield good("clock", shown)


def compared_clock(ahead: float, master: str) -> DoctorFinding:
    """Compare our clock with that of `master`; `ahead` is in seconds, negative if our clock is behind."""
    way = "ahead of" if ahead > 0 else "behind"
    text = f"{_shown_seconds(abs(ahead))} {way} {master}'s"
    advice = "correct the wrong clock, and synchronize both: apt install chrony; check with timedatectl"
    if abs(ahead) >= _WRONG_CLOCK:
        return error("clock", text, f"schedules, certificates and job ids will be wrong: {advice}")
    if abs(ahead) >= _ODD_CLOCK:
        return warning("clock", text, advice)
    return good("clock", f"equal to {master}'s within {_ODD_CLOCK:g} s")


def _shown_seconds(seconds: float) -> str:
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {name}"
    return f"{seconds:.1f} seconds"


def process(pid_file: str, role: str) -> Iterator[DoctorFinding]:
    """Check whether the daemon is running."""
    try:
        with open(pid_file, encoding="ascii") as file:
            pid = int(file.read())
        if not _is_of_salt(pid):
            raise ProcessLookupError(errno.ESRCH, "stale pid file after a crash")
    except (OSError, ValueError) as exc:
        if isinstance(exc, PermissionError):
            yield good("process", f"the {role} is running as another user")
            return
        yield warning("process", f"no {role} is running ({pid_file})", f"run salt-g {role} -d or its service")
        return
    yield good("process", f"the {role} is running, pid {pid}")


def _is_of_salt(pid: int) -> bool:
    """Return whether a process is a daemon of salt-g or stock; after a crash its pid can be reused."""
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return b"salt" in file.read()


def port(
    about: Kind, host: str, number: int, advice: str, opts: Mapping[str, Any]
) -> Iterator[DoctorFinding]:
    """Check whether a master answers on one of its ports; `about` is the kind of the port.

    `opts` are the settings with which a minion would connect.
    """
    place, spoken = f"{host}:{number}", _transport(opts)
    try:
        found = _service(about, host, number, opts)
    except ConfigError as exc:
        yield error(about, "; ".join(exc.problems), "correct `transport` and `ssl` in the settings")
        return
    if found.kind == about:
        yield good(about, f"{place} answers")
    elif found.kind == "closed":
        yield error(about, f"{place}: {found.detail}", advice)
    elif found.kind == "refusing":
        because = f": {found.detail}" if found.detail else ""
        text = f"{place} ends connections of {spoken}{because}"
        yield error(about, text, "give `transport` and `ssl` the values that the master has")
    elif found.kind == "silent":
        cause = "a firewall?" if opts["transport"] == "zeromq" else "a publish_port, or a master that hangs?"
        yield error(about, f"{place} does not answer within {CONNECT_TIMEOUT:g} s: {cause}", advice)
    elif found.kind == "foreign":
        yield error(about, f"{place} is not a master; it says {found.detail!r}", advice)
    else:
        yield error(about, f"{place} is a port for {found.kind}, not for {about}", advice)


def _service(about: Kind, host: str, number: int, opts: Mapping[str, Any]) -> Service:
    """Return the kind of service at a port, probed with the transport of the settings; raises ConfigError."""
    if opts["transport"] == "zeromq":
        return service_at(host, number, timeout=CONNECT_TIMEOUT)
    # Imported lazily: these modules import gevent, and are rarely used.
    from salt_g.transport.streams.client_stream import stream_client
    from salt_g.transport.streams.stream_probe import stream_service_at

    client = stream_client(opts["transport"], opts["ssl"])
    assert client is not None  # Only ZeroMQ has no stream client.
    return stream_service_at(host, number, client, about, timeout=CONNECT_TIMEOUT)


def _transport(opts: Mapping[str, Any]) -> str:
    tls = "" if opts["transport"] == "zeromq" or opts["ssl"] is None else " with TLS"
    return f"transport {opts['transport']}{tls}"


def is_listening(host: str, number: int) -> bool:
    """Return whether a program accepts connections at a port."""
    try:
        socket.create_connection((host, number), CONNECT_TIMEOUT).close()
    except OSError:
        return False
    return True


def free_port(about: str, interface: str, number: int) -> Iterator[DoctorFinding]:
    """Check whether a stopped daemon could listen on one of its ports."""
    place = f"{interface}:{number}"
    try:
        with socket.socket(socket.AF_INET6 if ":" in interface else socket.AF_INET) as tried:
            # Like the daemon, ignore recently closed connections, which do not block its port.
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((interface, number))
    except OSError as exc:
        if exc.errno == errno.EADDRINUSE:
            advice = f"`ss -ltnp 'sport = :{number}'` shows which one"
            yield error(about, f"{place} is in use by another program", advice)
        elif exc.errno == errno.EADDRNOTAVAIL:
            yield error(about, f"{place} is not an address of this host", "set `interface:` to one that is")


def _existing(path: str) -> str:
    """Return a path or its nearest existing parent directory; "" if the value is not a path."""
    if not path.startswith("/"):
        return ""
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return path
