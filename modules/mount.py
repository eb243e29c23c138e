"""What is mounted where, now and (by /etc/fstab) at every boot; swap space too.

Shapes: names and devices with spaces stand as the kernel writes them, `\\040` for each.
Source: fstab(5), proc(5) on `mountinfo`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from salt_g import disk
from salt_g.api import call as call_function
from salt_g.api import grains, has, scratch
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import run

#: Kinds of file systems whose device says nothing; their entries are known by the mount point.
_NAMELESS = frozenset(
    (
        *("none", "tmpfs", "sysfs", "proc", "fusectl", "debugfs", "securityfs", "devtmpfs", "cgroup"),
        *("nfs", "nfs4", "glusterfs", "btrfs", "ceph"),
    )
)
_FIELDS = ("device", "name", "fstype", "opts", "dump", "pass_num")
_FILE_MODE = 0o644


def __virtual__() -> bool | tuple[bool, str]:
    if grains.get("kernel") == "Linux":
        return True
    return False, "The mount module could not be loaded: only available on Linux systems."


def active(extended: bool = False) -> dict[str, dict[str, Any]]:
    """Return {mount point: {"device", "fstype", "opts", "alt_device"}} of what is mounted.

    `extended` adds the options of the file system (`superopts`), its UUID and label, and ids.

    Example::

        salt-g mount.active
    """
    listed = _listed()
    if extended:
        return {row[4]: _details(row, listed) for row in _rows("/proc/self/mountinfo")}
    return {
        row[1]: {
            "device": row[0],
            "alt_device": listed.get(row[1]),
            "fstype": row[2],
            "opts": row[3].split(","),
        }
        for row in _rows("/proc/self/mounts")
    }


def is_mounted(name: str) -> bool:
    """Return whether something is mounted there.

    Example::

        salt-g mount.is_mounted /srv
    """
    return name in active()


def mount(
    name: str,
    device: str | bool = False,
    mkmnt: bool = False,
    fstype: str = "",
    opts: Any = "defaults",
    user: str | None = None,
) -> bool | str:
    """Mount a device; return True, or what went wrong as text. `mkmnt` makes the directory.

    Example::

        salt-g mount.mount /mnt/data /dev/sdb1 fstype=ext4
    """
    if mkmnt and not os.path.exists(name):
        os.makedirs(name)
    return _mount([*_option_words(opts, fstype), str(device), name] if device else [name], user)


def remount(
    name: str,
    device: str,
    mkmnt: bool = False,
    fstype: str = "",
    opts: Any = "defaults",
    user: str | None = None,
) -> bool | str:
    """Mount again with other options, for the first time where nothing is mounted.

    Example::

        salt-g mount.remount /mnt/data /dev/sdb1 opts=ro
    """
    if name not in active():
        return mount(name, device, mkmnt, fstype, opts, user=user)
    wanted = _option_list(opts)
    wanted += [] if "remount" in wanted else ["remount"]
    return _mount([*_option_words(wanted, fstype), device, name], user)


def umount(name: str, device: str | None = None, user: str | None = None, lazy: bool = False) -> bool | str:
    """Unmount; return True, or what went wrong as text. `lazy` takes it out of sight at once.

    Example::

        salt-g mount.umount /mnt/data
    """
    if name.replace(" ", "\\040") not in active():
        return f"{name} does not have anything mounted"
    finished = run(["umount", *(["-l"] if lazy else []), device or name], runas=user)
    return finished["stderr"] if finished["retcode"] else True


def fstab(config: str = "/etc/fstab") -> dict[str, dict[str, Any]]:
    """Return {mount point: {"device", "fstype", "opts", "dump", "pass"}} of what is mounted at boot.

    A mount point that stands there again gets `_` behind its name.

    Example::

        salt-g mount.fstab
    """
    found: dict[str, dict[str, Any]] = {}
    for entry in filter(None, map(_entry, _lines(config))):
        name = entry["name"]
        while name in found:
            name += "_"
        found[name] = {
            "device": entry["device"],
            "fstype": entry["fstype"],
            "opts": entry["opts"].split(","),
            "dump": entry["dump"],
            "pass": entry["pass_num"],
        }
    return found


def set_fstab(
    name: str,
    device: str,
    fstype: str,
    opts: Any = "defaults",
    dump: int = 0,
    pass_num: int = 0,
    config: str = "/etc/fstab",
    test: bool = False,
    match_on: Any = "auto",
    not_change: bool = False,
    **kwargs: Any,
) -> str:
    """Mount a device at every boot; return `new`, `change` or `present`.

    `match_on` says by which fields the entry is found (`auto`: device, or name where the
    device says nothing); `not_change` leaves an entry that is found; `test` writes nothing.

    Example::

        salt-g mount.set_fstab /mnt/data /dev/sdb1 ext4
    """
    values = (device, name, fstype, ",".join(_option_list(opts)), str(dump), str(pass_num))
    wanted = {key: value.replace("\\ ", "\\040") for key, value in zip(_FIELDS, values, strict=True)}
    keys = _matching_keys(match_on, fstype)
    if not os.path.isfile(config):
        raise CommandExecutionError(f'Bad config file "{config}"')
    lines, told = [], "new"
    for line in _lines(config):
        entry = _entry(line)
        if entry and all(entry[key] == wanted[key] for key in keys):
            is_kept = not_change or entry == wanted
            told = "present" if is_kept and told == "new" else told if is_kept else "change"
            line = line if is_kept else _line(wanted)
        lines.append(line)
    if told == "new":
        lines.append(_line(wanted))
    if told != "present" and not test:
        _write(config, lines)
    return told


def rm_fstab(name: str, device: str | None = None, config: str = "/etc/fstab") -> bool:
    """Do not mount a device at boot any more; return True.

    Example::

        salt-g mount.rm_fstab /mnt/data /dev/sdb1
    """
    lines = _lines(config)
    kept = [line for line in lines if not _is_meant(_entry(line), name, device)]
    if len(kept) != len(lines):
        _write(config, kept)
    return True


def swaps() -> dict[str, dict[str, str]]:
    """Return {device or file: {"type", "size", "used", "priority"}} of the swap space in use (KiB).

    Example::

        salt-g mount.swaps
    """
    rows = (row for row in _rows("/proc/swaps") if row[0] != "Filename")
    return {row[0]: dict(zip(("type", "size", "used", "priority"), row[1:5], strict=True)) for row in rows}


def swapon(name: str, priority: int | None = None) -> dict[str, Any]:
    """Use swap space; return {"stats", "new"}, {} when that failed.

    Example::

        salt-g mount.swapon /swapfile
    """
    was_on = name in swaps()
    if not was_on:
        run(["swapon", name, *(["-p", str(priority)] if priority else [])])
    now = swaps()
    return {"stats": now[name], "new": not was_on} if name in now else {}


def swapoff(name: str) -> bool | None:
    """Do not use swap space any more; return whether that went well, None when it was not used.

    Example::

        salt-g mount.swapoff /swapfile
    """
    if name not in swaps():
        return None
    run(["swapoff", name])
    return name not in swaps()


def _rows(path: str) -> list[list[str]]:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return [line.split() for line in file]


def _listed() -> dict[str, str]:
    """Return {mount point: device} as the mount program tells them, which knows other names."""
    rows = (line.split() for line in run(["mount", "-l"])["stdout"].splitlines())
    return {row[2]: row[0] for row in rows if len(row) > 2}


def _details(row: list[str], listed: dict[str, str]) -> dict[str, Any]:
    major, _, minor = row[2].partition(":")
    kind, device, superopts = row[row.index("-") + 1 :][:3]
    known = _block_ids().get(device, {})
    uuid = known.get("UUID")
    return {
        "mountid": row[0],
        "parentid": row[1],
        "major": major,
        "minor": minor,
        "root": row[3],
        "opts": row[5].split(","),
        "fstype": kind,
        "device": device.replace("\\040", "\\ "),
        "alt_device": listed.get(row[4]),
        "superopts": superopts.split(","),
        "device_uuid": uuid.lower() if uuid else None,
        "device_label": known.get("LABEL"),
    }


def _block_ids() -> dict[str, dict[str, str]]:
    if "disk.blkid" not in scratch:
        scratch["disk.blkid"] = call_function("disk.blkid") if has("disk.blkid") else {}
    known: dict[str, dict[str, str]] = scratch["disk.blkid"]
    return known


def _mount(words: list[str], user: str | None) -> bool | str:
    finished = run(["mount", *words], runas=user)
    return finished["stderr"] if finished["retcode"] else True


def _option_list(opts: Any) -> list[str]:
    return opts.split(",") if isinstance(opts, str) else [str(each) for each in opts or []]


def _option_words(opts: Any, fstype: str) -> list[str]:
    options = _option_list(opts)
    words = ["-o", ",".join(options)] if options else []
    return [*words, *(["-t", fstype] if fstype else [])]


def _lines(config: str) -> list[str]:
    if not os.path.isfile(config):
        return []
    with open(config, encoding="utf-8") as file:
        return file.readlines()


def _entry(line: str) -> dict[str, str] | None:
    """Return the fields of a line, None for a comment or an empty one; the last two may be left out."""
    words = line.split()
    if len(words) < 4 or words[0].startswith("#"):
        return None
    return dict(zip(_FIELDS, [*words, "0", "0"], strict=False))


def _line(entry: dict[str, str]) -> str:
    return "{device}\t\t{name}\t{fstype}\t{opts}\t{dump} {pass_num}\n".format(**entry)


def _is_meant(entry: dict[str, str] | None, name: str, device: str | None) -> bool:
    return entry is not None and entry["name"] == name and device in (None, entry["device"])


def _matching_keys(match_on: Any, fstype: str) -> list[str]:
    if match_on == "auto":
        return ["name" if fstype in _NAMELESS else "device"]
    keys = [match_on] if isinstance(match_on, str) else list(match_on)
    unknown = [key for key in keys if key not in _FIELDS]
    if unknown:
        raise CommandExecutionError(f'Unrecognized keys in match_on: "{", ".join(unknown)}"')
    return keys


def _write(config: str, lines: list[str]) -> None:
    try:
        disk.write_whole(config, "".join(_ended(lines)), mode=_FILE_MODE)
    except OSError as exc:
        raise CommandExecutionError(f"File not writable {config}: {exc.strerror}") from exc


def _ended(lines: list[str]) -> Iterator[str]:
    return (line if line.endswith("\n") else f"{line}\n" for line in lines)
