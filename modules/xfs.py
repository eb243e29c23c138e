"""XFS file systems: creation, changes, geometry, dumps and their inventory.

Shapes: geometry is {section: {"section": name, parameter: text}}; a device is {"label", "uuid",
"block_size"}, with "mount_point" and "options" while it is mounted.
Source: mkfs.xfs(8), xfs_admin(8), xfs_info(8), xfs_fsr(8), xfs_estimate(8), xfsdump(8).
"""

from __future__ import annotations

import datetime
import os
import re
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import run
from salt_g.modules._required import hint, require
from salt_g.process.command import which

#: Options of mkfs.xfs: {argument: letter}.
_MAKE_OPTIONS = {
    "label": "L",
    "ssize": "s",
    "bso": "b",
    "gmo": "m",
    "dso": "d",
    "ino": "i",
    "lso": "l",
    "nmo": "n",
    "rso": "r",
}
#: One parameter; its value, which may have spaces, ends where the next begins.
_PAIR = re.compile(r"([\w-]+)=(.*?)(?=,? +[\w-]+=|,?\s*$)")
#: Columns of xfs_estimate after the directory; the blank in the first is part of the result's key.
_ESTIMATE = ("block _size", "blocks", "megabytes", "logsize")
#: Lines of xfsdump: {beginning: key of the result}.
_DUMP_LINES = {
    "session id": "Session ID",
    "session label": "Session label",
    "media file size": "Media size",
    "dump complete": "Dump complete",
    "Dump Status": "Status",
}


def __virtual__() -> bool | tuple[bool, str]:
    if which("mkfs.xfs"):
        return True
    return False, "The xfs execution module cannot be loaded: there is no mkfs.xfs in the path." + hint(
        "mkfs.xfs"
    )


def mkfs(
    device: str,
    label: str | None = None,
    ssize: Any = None,
    noforce: bool | None = None,
    bso: str | None = None,
    gmo: str | None = None,
    ino: str | None = None,
    lso: str | None = None,
    rso: str | None = None,
    nmo: str | None = None,
    dso: str | None = None,
) -> dict[str, dict[str, str]]:
    """Create a file system on a device or in a file, overwriting its content; return its geometry.

    label
        Label of up to twelve characters.
    ssize
        Options of the sector size (`mkfs.xfs -s`).
    noforce
        Refuse a device that holds a file system.
    bso, gmo, ino, lso, rso, nmo, dso
        Options of blocks, metadata, inodes, log, real-time section, naming and data section, as in
        mkfs.xfs(8): `su=32k,sw=6`.

    Example::

        salt-g xfs.mkfs /dev/sdb1 label=data
    """
    given = {"label": label, "ssize": ssize, "bso": bso, "gmo": gmo, "dso": dso}
    given |= {"ino": ino, "lso": lso, "nmo": nmo, "rso": rso}
    words = [
        word for name, value in given.items() if value for word in (f"-{_MAKE_OPTIONS[name]}", str(value))
    ]
    return _geometry(_output(["mkfs.xfs", *words, *([] if noforce else ["-f"]), device]))


def info(device: str) -> dict[str, dict[str, str]]:
    """Return the geometry of a file system, given by its device or its mount point.

    Example::

        salt-g xfs.info /dev/sdb1
    """
    return _geometry(_output(["xfs_info", device]))


def modify(
    device: str, label: str | None = None, lazy_counting: bool | None = None, uuid: bool | None = None
) -> dict[str, dict[str, Any]]:
    """Change a file system that is not mounted; return it as `xfs.devices` does.

    label
        The new label.
    lazy_counting
        Whether the superblock's counters are written lazily.
    uuid
        True for a new UUID, False for none.

    Raises CommandExecutionError if no change is given or the file system is mounted.

    Example::

        salt-g xfs.modify /dev/sdb1 label=backup
    """
    words = ["-L", label] if label else []
    words += [] if lazy_counting is None else ["-c", "1" if lazy_counting else "0"]
    words += [] if uuid is None else ["-U", "generate" if uuid else "nil"]
    if not words:
        raise CommandExecutionError(f'Nothing specified for modification for "{device}" device')
    _output(["xfs_admin", *words, device])
    return _devices([device])


def devices() -> dict[str, dict[str, Any]]:
    """Return {device: facts} of all XFS file systems of this machine.

    Example::

        salt-g xfs.devices
    """
    return _devices([])


def defragment(device: str) -> dict[str, str]:
    """Defragment a mounted file system; return the program's output as `log`.

    Example::

        salt-g xfs.defragment /dev/sdb1
    """
    if device == "/":
        raise CommandExecutionError("Root is not a device.")
    if device not in _mounts():
        raise CommandExecutionError(f'Device "{device}" is not mounted')
    return {"log": _output(["xfs_fsr", device])}


def estimate(path: str) -> dict[str, dict[str, str]]:
    """Return {path: {"block _size", "blocks", "megabytes", "logsize"}}: the XFS that a directory would need.

    Example::

        salt-g xfs.estimate /srv
    """
    if not os.path.exists(path):
        raise CommandExecutionError(f'Path "{path}" was not found.')
    # The program cuts a long path, so only the last columns of its one row are read.
    columns = _output(["xfs_estimate", "-v", path]).split()[-len(_ESTIMATE) :]
    return {path: dict(zip(_ESTIMATE, columns, strict=True))}


def dump(
    device: str, destination: str, level: int = 0, label: str | None = None, noerase: bool | None = None
) -> dict[str, str]:
    """Dump a mounted file system into a file or onto a tape.

    Returns {"Session ID", "Session label", "Media size", "Dump complete", "Status", "Summary"}, as far as
    xfsdump reports them.

    level
        0 dumps everything, 1 to 9 what changed since a dump of a lower level.
    label
        Label of the dump, by default made of device and time.
    noerase
        False erases the medium first.

    Example::

        salt-g xfs.dump /dev/sdb1 /backup/data.dump
    """
    made = f"{datetime.datetime.now():%Y.%m.%d, %H:%M}"
    words = ["-E"] if noerase is False else []
    words += ["-F", "-L", label or f'XFS dump for "{device}" of {made}', "-l", str(level), "-f", destination]
    require("xfsdump")
    found: dict[str, str] = {}
    for line in _output(["xfsdump", *words, device]).splitlines():
        text = line.removeprefix("xfsdump:").strip()
        if text.startswith("stream "):
            found["Summary"] = text
        for beginning, key in _DUMP_LINES.items():
            if text.startswith(beginning):
                found[key] = text.removeprefix(beginning).lstrip(": ")
    return found


def inventory() -> dict[str, Any]:
    """Return the dumps of this machine: file systems, sessions, streams and media files, by number.

    Example::

        salt-g xfs.inventory
    """
    require("xfsrestore")
    found: dict[str, Any] = {}
    # The dict of each depth; a line ending in a colon opens one.
    open_at = [found]
    for line in _output(["xfsrestore", "-I"]).splitlines():
        depth = len(line) - len(line.lstrip("\t"))
        name, _, value = (part.strip() for part in line.strip().partition(":"))
        if name == "xfsrestore":
            found["restore_status"] = line.strip()
        elif name and depth < len(open_at):
            del open_at[depth + 1 :]
            if value:
                open_at[depth][name] = value
            else:
                open_at.append(open_at[depth].setdefault(name, {}))
    return found


def prune_dump(sessionid: str) -> bool:
    """Remove a dump from the inventory, given by the id of its session; return True.

    Example::

        salt-g xfs.prune_dump b74a3586-e52e-4a4a-8775-c3334fa8ea2c
    """
    if sessionid not in _session_ids(inventory()):
        raise CommandExecutionError(f'Session UUID "{sessionid}" was not found.')
    require("xfsinvutil")
    _output(["xfsinvutil", "-s", sessionid, "-F"])
    if sessionid in _session_ids(inventory()):
        raise CommandExecutionError(f"Session id {sessionid!r} was not pruned.")
    return True


def _output(argv: list[str]) -> str:
    """Return the output of a program; its failure raises CommandExecutionError."""
    done = run(argv)
    if done["retcode"]:
        raise CommandExecutionError(done["stderr"] or done["stdout"] or f"{argv[0]} failed")
    return done["stdout"]


def _geometry(text: str) -> dict[str, dict[str, str]]:
    """Return the sections of mkfs.xfs' output; a line that begins with `=` continues the one above."""
    found: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    for line in text.splitlines():
        title, equals, rest = line.partition("=")
        if not equals:
            continue
        if title.strip():
            first = _PAIR.search(rest)
            name = rest[: first.start() if first else None].strip()
            # The section `data` is the only one without a name.
            section = {"section": name or title.strip()}
            found[title.strip()] = section
        section.update({name: value.strip() for name, value in _PAIR.findall(rest)})
    return found


def _devices(wanted: list[str]) -> dict[str, dict[str, Any]]:
    """Return {device: facts} of these devices, by default of all."""
    # Bypass blkid's cache, which can be outdated for two seconds after a change.
    listed = run(["blkid", "-c", "/dev/null", "-o", "export", "-t", "TYPE=xfs", *wanted])["stdout"]
    mounts = _mounts()
    found = {}
    for text in listed.split("\n\n"):
        pairs = (line.partition("=") for line in text.splitlines())
        facts: dict[str, Any] = {name.lower(): value for name, _, value in pairs if name != "TYPE"}
        if "devname" in facts:
            device = facts.pop("devname")
            found[device] = {**facts, **mounts.get(device, {})}
    return found


def _mounts() -> dict[str, dict[str, Any]]:
    """Return {device: mount point and options} of mounted XFS file systems."""
    active = call("mount.active").items()
    return {
        facts["device"]: {"mount_point": point, "options": facts["opts"]}
        for point, facts in active
        if facts["fstype"] == "xfs"
    }


def _session_ids(dumps: dict[str, Any]) -> set[str]:
    """Return the ids of all sessions in the inventory."""
    systems = (system for system in dumps.values() if isinstance(system, dict))
    sessions = (session for system in systems for session in system.values() if isinstance(session, dict))
    return {session["session id"] for session in sessions if "session id" in session}
