"""Block devices: contents, settings, and creation of file systems."""

from __future__ import annotations

import logging
import re
from typing import Any

from salt_g.api import call, own_arguments
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._required import require
from salt_g.process.redaction import RedactedOutput

log = logging.getLogger(__name__)

#: Settings shown by `dump`, in the order of the `blockdev` query.
SETTINGS = (
    *("getro", "getsz", "getss", "getpbsz", "getiomin", "getioopt", "getalignoff", "getmaxsect"),
    *("getsize", "getsize64", "getra", "getfra"),
)
#: {argument of `tune`: suffix of blockdev's `set` and `get` flags}
TUNABLE = {"read-ahead": "ra", "filesystem-read-ahead": "fra", "read-only": "ro", "read-write": "rw"}
SWITCHES = ("read-only", "read-write")
_ATTRIBUTE = re.compile(r'(\S+)="([^"]*)"')


def blkid(device: str | None = None, token: str | None = None) -> dict[str, dict[str, str]]:
    """Return {device: {attribute: value}} of block devices, with attributes such as UUID and TYPE.

    `device` selects one of them; without it, `token` (`UUID=6a38ee5`) selects those with an attribute.
    Returns {} if there is none.

    Example::

        salt-g disk.blkid /dev/sda1
    """
    require("blkid")
    asked = [device] if device else ["-t", token] if token else []
    # Bypass blkid's cache, which can be outdated for two seconds after a change.
    answer = call("cmd.run_all", ["blkid", "-c", "/dev/null", *asked], python_shell=False)
    if answer["retcode"] > 0:
        return {}
    lines = (line.partition(": ") for line in answer["stdout"].splitlines())
    return {name: dict(_ATTRIBUTE.findall(rest)) for name, _, rest in lines if name}


def tune(device: str, **kwargs: Any) -> dict[str, str] | bool:
    """Set `read-ahead` and `filesystem-read-ahead` (sectors), `read-only` or `read-write` (True) of a device.

    Returns the resulting settings, named as in `disk.dump`. Raises InvocationError for other arguments.

    Example::

        salt-g disk.tune /dev/sda1 read-ahead=1024 read-write=True
    """
    given = own_arguments(kwargs)
    wrong = {name: value for name, value in given.items() if not _can_tune(name, value)}
    if wrong:
        listed = ", ".join(f"{name}={value}" for name, value in wrong.items())
        raise InvocationError(f"Invalid keyword arguments: {listed}")
    flags = [word for name, value in given.items() for word in _tuning(name, value)]
    answer = call("cmd.run_all", ["blockdev", *flags, device], python_shell=False)
    if answer["retcode"] != 0:
        raise CommandExecutionError(answer["stderr"])
    return dump(device, ["getro" if name in SWITCHES else f"get{TUNABLE[name]}" for name in given])


def dump(device: str, args: list[str] | None = None) -> dict[str, str] | bool:
    """Return {setting: value} of a block device, or False if it cannot be read.

    Settings are named after the options of blockdev (`getro`, `getsize64`, `getra`, …); `args` is a list of
    those to return.

    Example::

        salt-g disk.dump /dev/sda1
    """
    asked = [f"--{name}" for name in SETTINGS]
    answer = call("cmd.run_all", ["blockdev", *asked, device], python_shell=False)
    if answer["retcode"] != 0:
        return False
    lines = [line for line in answer["stdout"].splitlines() if line]
    found = dict(zip(SETTINGS, lines, strict=False))
    return {name: found[name] for name in args} if args else found


def wipe(device: str) -> bool:
    """Remove the file system signatures from a device; return whether that succeeded.

    Example::

        salt-g disk.wipe /dev/sda1
    """
    answer = call("cmd.run_all", ["wipefs", "-a", device], python_shell=False)
    if answer["retcode"] != 0:
        log.error("%s cannot be wiped: %s", device, RedactedOutput(answer["stderr"]))
    return bool(answer["retcode"] == 0)


def resize2fs(device: str) -> bool | None:
    """Grow the ext file system on a device to the size of the device; return True on success, else None.

    Example::

        salt-g disk.resize2fs /dev/sda1
    """
    answer = call("cmd.run_all", ["resize2fs", device], python_shell=False)
    return True if answer["retcode"] == 0 else None


def format_(
    device: str,
    fs_type: str = "ext4",
    inode_size: int | None = None,
    lazy_itable_init: int | None = None,
    fat: int | None = None,
    force: bool = False,
) -> bool:
    """Create a file system on a device; return whether that succeeded.

    `inode_size` is bytes per inode (ext) or the inode's size (xfs), `lazy_itable_init` 0 or 1 (ext), `fat`
    12, 16 or 32. `force` overrides the checks of mkfs (ext and xfs).

    Example::

        salt-g disk.format /dev/sdX1
    """
    require("mkfs")
    options = _mkfs_options(fs_type, inode_size, lazy_itable_init, fat, force)
    made = call("cmd.retcode", ["mkfs", "-t", fs_type, *options, device], ignore_retcode=True)
    synced = call("cmd.retcode", "sync", ignore_retcode=True)
    return bool(made == 0 and synced == 0)


def fstype(device: str) -> str:
    """Return the type of the file system on a device, or '' if it has none.

    Example::

        salt-g disk.fstype /dev/sdX1
    """
    for argv in (["lsblk", "-o", "fstype", device], ["df", "--output=fstype", device]):
        if call("cmd.which", argv[0]):
            lines = call("cmd.run", argv, python_shell=False, ignore_retcode=True).splitlines()
            if len(lines) > 1 and lines[1].strip():
                return str(lines[1].strip())
    return ""


def get_fstype_from_path(path: str) -> str:
    """Return the type of the file system that holds a path.

    Example::

        salt-g disk.get_fstype_from_path /root
    """
    return fstype(call("mount.get_device_from_path", path))


def _can_tune(name: str, value: Any) -> bool:
    return name in TUNABLE and (name not in SWITCHES or str(value) == "True")


def _tuning(name: str, value: Any) -> list[str]:
    flag = f"--set{TUNABLE[name]}"
    return [flag] if name in SWITCHES else [flag, str(value)]


def _mkfs_options(
    fs_type: str, inode_size: int | None, lazy_itable_init: int | None, fat: int | None, force: bool
) -> list[str]:
    is_ext = fs_type.startswith("ext")
    options: list[str] = []
    if inode_size is not None and (is_ext or fs_type == "xfs"):
        options += ["-i", str(inode_size) if is_ext else f"size={inode_size}"]
    if lazy_itable_init is not None and is_ext:
        options += ["-E", f"lazy_itable_init={lazy_itable_init}"]
    if fat in (12, 16, 32) and fs_type.endswith("fat"):
        options += ["-F", str(fat)]
    if force and (is_ext or fs_type == "xfs"):
        options.append("-F" if is_ext else "-f")
    return options
