"""Active mounts, mounting and unmounting.

Shapes: a space in a mount point or device is `\\040`, as the kernel writes it; only in the devices of
`active(extended=True)` it is a backslash and a space.
Source: proc(5) on `mountinfo`.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files
from salt_g.api import call as call_function
from salt_g.api import has, scratch
from salt_g.modules._programs import act, run
from salt_g.modules._required import require
from salt_g.modules.mount._options import option_list


def active(extended: bool = False) -> dict[str, dict[str, Any]]:
    """Return {mount point: {"device", "fstype", "opts", "alt_device"}} of the active mounts.

    `alt_device` is the device as `mount -l` names it. `extended` adds the options of the file system
    (`superopts`), its UUID and label, and ids.

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
    """Return whether a path is a mount point.

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
    """Mount a device; return True, or an error text. `mkmnt` creates the directory.

    Without `device` the mount point's entry in /etc/fstab is used, and `fstype` and `opts` are ignored.

    Example::

        salt-g mount.mount /mnt/data /dev/sdb1 fstype=ext4
    """
    if mkmnt and not os.path.exists(name):
        safe_files.make_directories(name)
    return _mount([*_option_words(opts, fstype), str(device), name] if device else [name], user)


def remount(
    name: str,
    device: str,
    mkmnt: bool = False,
    fstype: str = "",
    opts: Any = "defaults",
    user: str | None = None,
) -> bool | str:
    """Remount a device with other options, or mount it if it is not mounted; return True, or an error text.

    Example::

        salt-g mount.remount /mnt/data /dev/sdb1 opts=ro
    """
    if name not in active():
        return mount(name, device, mkmnt, fstype, opts, user=user)
    wanted = option_list(opts)
    wanted += [] if "remount" in wanted else ["remount"]
    return _mount([*_option_words(wanted, fstype), device, name], user)


def umount(name: str, device: str | None = None, user: str | None = None, lazy: bool = False) -> bool | str:
    """Unmount a mount point; return True, or an error text. `lazy` detaches it at once.

    Example::

        salt-g mount.umount /mnt/data
    """
    if name.replace(" ", "\\040") not in active():
        return f"{name} does not have anything mounted"
    finished = act(["umount", *(["-l"] if lazy else []), device or name], runas=user)
    return finished["stderr"] if finished["retcode"] else True


def is_fuse_exec(cmd: str) -> bool:
    """Return whether a mount program uses FUSE.

    Example::

        salt-g mount.is_fuse_exec sshfs
    """
    path = call_function("cmd.which", cmd)
    if not path:
        return False
    require("ldd")
    return "libfuse" in run(["ldd", path])["stdout"]


def get_mount_from_path(path: str) -> str:
    """Return the mount point of the file system that holds a path.

    Example::

        salt-g mount.get_mount_from_path /opt/some/nested/path
    """
    path = os.path.realpath(path)
    while path != "/" and not os.path.ismount(path):
        path = os.path.dirname(path)
    return path


def get_device_from_path(path: str) -> str | None:
    """Return the device of the file system that holds a path, or None if unknown.

    Example::

        salt-g mount.get_device_from_path /
    """
    known = active().get(get_mount_from_path(path))
    return str(known["device"]) if known else None


def _rows(path: str) -> list[list[str]]:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return [line.split() for line in file]


def _listed() -> dict[str, str]:
    """Return {mount point: device} from `mount -l`, which names some devices differently from the kernel."""
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
    finished = act(["mount", *words], runas=user)
    return finished["stderr"] if finished["retcode"] else True


def _option_words(opts: Any, fstype: str) -> list[str]:
    options = option_list(opts)
    words = ["-o", ",".join(options)] if options else []
    return [*words, *(["-t", fstype] if fstype else [])]
