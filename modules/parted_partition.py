"""Partition tables and partitions, by parted, sfdisk and partprobe (`partition`).

Shapes: functions that change something, except `set_id`, return the program's output lines, [] if it was
silent.
Errors: CommandExecutionError for a malformed argument, before a program runs that could change a disk.
Source: parted(8), sfdisk(8), partprobe(8).
"""

from __future__ import annotations

import os
import re
import stat
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import acts, run
from salt_g.modules._required import hint, require
from salt_g.process.command import which

__virtualname__ = "partition"
__func_alias__ = {"list_": "list", "set_": "set"}

_UNITS = (
    *("s", "B", "kB", "MB", "MiB", "GB", "GiB", "TB", "TiB", "%", "cyl", "chs", "compact"),
    *("KiB", "PB", "PiB"),
)
_FILE_SYSTEMS = frozenset(
    (
        *("btrfs", "ext2", "ext3", "ext4", "fat16", "fat32", "hfs", "hfs+", "hfsx", "linux-swap", "ntfs"),
        *("reiserfs", "ufs", "xfs", "zfs", "HFS", "NTFS"),
    )
)
_LABELS = frozenset(("aix", "amiga", "bsd", "dvh", "gpt", "loop", "mac", "msdos", "pc98", "sun"))
_FLAGS = frozenset(
    (
        *("bios_grub", "legacy_boot", "boot", "lba", "root", "swap", "hidden", "raid", "LVM", "lvm"),
        *("PALO", "PREP", "DIAG", "palo", "prep", "diag", "hp-service", "msftres", "msftdata", "atvrecv"),
        *("irst", "esp", "type"),
    )
)
_DISK_FLAGS = frozenset(("cylinder_alignment", "pmbr_boot", "implicit_partition_table"))
_DISK_COLUMNS = (
    *("disk", "size", "interface", "logical sector", "physical sector", "partition table", "model"),
    "disk flags",
)
_COLUMNS = ("number", "start", "end", "size", "file system", "name", "flags")
_BOUNDARY = re.compile(r"-?\d+(\.\d+)?\s*(s|B|[kMGTP]B|[KMGTP]iB|%|cyl|chs)?")
_NAME = re.compile(r"[A-Za-z0-9_ -]+")
#: Major numbers of devices that are no disks: memory, loop devices, CD-ROMs.
_NO_DISKS = "1,7,11"


def __virtual__() -> str | tuple[bool, str]:
    for program in ("parted", "lsblk", "partprobe"):
        if not which(program):
            reason = f"The parted execution module failed to load {program} binary is not in the path."
            return False, reason + hint(program)
    return __virtualname__


def probe(*devices: str) -> list[str]:
    """Make the kernel read the partition tables of devices again, by default those of all devices.

    Example::

        salt-g partition.probe /dev/sda
    """
    for device in devices:
        _check_device(device)
    return _lines(["partprobe", "--", *devices])


def list_(device: str, unit: str | None = None) -> dict[str, Any]:
    """Return {"info": facts of the disk, "partitions": {number: facts}}.

    unit
        Unit of sizes, such as `s`, `kB` or `MiB`; by default chosen by parted.

    Example::

        salt-g partition.list /dev/sda unit=s
    """
    _check_device(device)
    if unit and unit not in _UNITS:
        raise CommandExecutionError("Invalid unit passed to partition.part_list")
    done = run(["parted", "-m", "-s", device, *(["unit", unit] if unit else []), "print"])
    found: dict[str, Any] = {"info": {}, "partitions": {}}
    for line in done["stdout"].splitlines():
        values = line.removesuffix(";").split(":")
        if line.startswith("/"):
            found["info"] = dict(zip(_DISK_COLUMNS, values, strict=False))
        elif values[0].isdigit():
            found["partitions"][values[0]] = dict(zip(_COLUMNS, values, strict=False))
    return found


def align_check(device: str, part_type: str, partition: Any) -> list[str]:
    """Return whether a partition is aligned: `1 aligned`, or why not. `part_type` is minimal or optimal.

    Example::

        salt-g partition.align_check /dev/sda minimal 1
    """
    _check_device(device)
    _check(part_type in ("minimal", "optimal"), "part_type", "align_check")
    _check(_is_number(partition), "partition", "align_check")
    return _lines(["parted", "-m", device, "align-check", part_type, str(partition)])


def check(device: str, minor: Any) -> list[str]:
    """Check the file system of a partition; parted cannot do this since version 3.

    Example::

        salt-g partition.check /dev/sda 1
    """
    return _on_minor("check", device, minor)


def cp(device: str, from_minor: Any, to_minor: Any) -> list[str]:
    """Copy a file system to another partition; parted cannot do this since version 3.

    Example::

        salt-g partition.cp /dev/sda 2 3
    """
    return _on_minor("cp", device, from_minor, to_minor)


def get_id(device: str, minor: Any) -> str | list[str]:
    """Return the type of a partition: hexadecimal (`83` Linux, `82` swap) or, with gpt, a UUID.

    Example::

        salt-g partition.get_id /dev/sda 1
    """
    _check_device(device)
    _check_minor(minor, "get_id")
    return _first(_sfdisk("--part-type", device, str(minor)))


def set_id(device: str, minor: Any, system_id: Any) -> bool:
    """Set the type of a partition to one of `partition.system_types`; return whether that succeeded.

    Example::

        salt-g partition.set_id /dev/sda 1 83
    """
    _check_device(device)
    _check_minor(minor, "set_id")
    _check(str(system_id) in system_types(), "system_id", "set_id")
    return acts(["sfdisk", "--part-type", device, str(minor), str(system_id)])


def system_types() -> dict[str, str]:
    """Return {hexadecimal type: name} of the partition types of msdos tables that sfdisk knows.

    Example::

        salt-g partition.system_types
    """
    pairs = (line.strip().partition(" ") for line in _sfdisk("-T"))
    return {number: name.strip() for number, _, name in pairs if re.fullmatch(r"[0-9a-f]{1,2}", number)}


def mkfs(device: str, fs_type: str) -> list[str]:
    """Make a file system on a partition, overwriting its content; return the program's output lines.

    Example::

        salt-g partition.mkfs /dev/sda2 ext4
    """
    _check_device(device)
    _check(fs_type in _FILE_SYSTEMS, "fs_type", "mkfs")
    program, kind = (
        ("mkfs.fat", ["-F", fs_type[3:]]) if fs_type.startswith("fat") else (f"mkfs.{fs_type}", [])
    )
    program = "mkswap" if fs_type == "linux-swap" else program.lower()
    if not which(program):
        raise CommandExecutionError(f"Error: {program} is unavailable.")
    return _lines([program, *kind, device])


def mklabel(device: str, label_type: str) -> list[str]:
    """Make an empty partition table: aix, amiga, bsd, dvh, gpt, loop, mac, msdos, pc98 or sun.

    Example::

        salt-g partition.mklabel /dev/sdb gpt
    """
    _check(label_type in _LABELS, "label_type", "mklabel")
    return _parted(device, "mklabel", label_type)


def mkpart(
    device: str, part_type: str, fs_type: str | None = None, start: Any = None, end: Any = None
) -> list[str]:
    """Make a partition from `start` to `end` (megabytes, or with a unit: `10%`, `2048s`, `-1s`).

    part_type
        primary, logical or extended.
    fs_type
        The intended file system, which is not created.

    Example::

        salt-g partition.mkpart /dev/sdb primary fs_type=ext4 start=0% end=100%
    """
    _check(part_type in ("primary", "logical", "extended"), "part_type", "mkpart")
    _check(not fs_type or fs_type in _FILE_SYSTEMS, "fs_type", "mkpart")
    _check_boundaries(start, end)
    return _parted(device, "mkpart", part_type, *([fs_type] if fs_type else []), str(start), str(end))


def mkpartfs(
    device: str, part_type: str, fs_type: str | None = None, start: Any = None, end: Any = None
) -> list[str]:
    """Make a partition as `partition.mkpart` does.

    Example::

        salt-g partition.mkpartfs /dev/sdb primary start=0% end=100%
    """
    return mkpart(device, part_type, fs_type, start, end)


def name(device: str, partition: Any, name: str) -> list[str]:
    """Name a partition (gpt, mac and pc98).

    Example::

        salt-g partition.name /dev/sda 1 'My Documents'
    """
    _check(_is_number(partition), "partition", "name")
    if not _NAME.fullmatch(name):
        raise CommandExecutionError("Invalid characters passed to partition.name")
    # parted takes the words of a name apart unless it is quoted.
    return _parted(device, "name", str(partition), f"'{name}'")


def rescue(device: str, start: Any, end: Any) -> list[str]:
    """Search for a lost partition between two positions and restore it in the table.

    Example::

        salt-g partition.rescue /dev/sda 0 8056
    """
    _check_boundaries(start, end)
    return _parted(device, "rescue", str(start), str(end))


def resize(device: str, minor: Any, start: Any, end: Any) -> list[str]:
    """Resize a partition and its file system; parted cannot do this since version 3.

    Example::

        salt-g partition.resize /dev/sda 3 200 850
    """
    _check_minor(minor, "resize")
    _check_boundaries(start, end)
    return _parted(device, "resize", str(minor), str(start), str(end))


def rm(device: str, minor: Any) -> list[str]:
    """Remove a partition.

    Example::

        salt-g partition.rm /dev/sda 5
    """
    return _on_minor("rm", device, minor)


def set_(device: str, minor: Any, flag: str, state: Any) -> list[str]:
    """Set a flag of a partition (boot, esp, lvm, raid, swap, ...) to on or off.

    Example::

        salt-g partition.set /dev/sda 1 boot '"on"'
    """
    _check_minor(minor, "set")
    _check(flag in _FLAGS, "flag", "set")
    return _parted(device, "set", str(minor), flag, _state(state, "set"))


def toggle(device: str, partition: Any, flag: str) -> list[str]:
    """Invert a flag of a partition.

    Example::

        salt-g partition.toggle /dev/sda 1 boot
    """
    _check(_is_number(partition), "partition number", "toggle")
    _check(flag in _FLAGS, "flag", "toggle")
    return _parted(device, "toggle", str(partition), flag)


def disk_set(device: str, flag: str, state: Any) -> list[str]:
    """Set a flag of a disk (cylinder_alignment, pmbr_boot or implicit_partition_table) to on or off.

    Example::

        salt-g partition.disk_set /dev/sda pmbr_boot '"on"'
    """
    _check(flag in _DISK_FLAGS, "flag", "disk_set")
    return _parted(device, "disk_set", flag, _state(state, "disk_set"))


def disk_toggle(device: str, flag: str) -> list[str]:
    """Invert a flag of a disk.

    Example::

        salt-g partition.disk_toggle /dev/sda pmbr_boot
    """
    _check(flag in _DISK_FLAGS, "flag", "disk_toggle")
    return _parted(device, "disk_toggle", flag)


def exists(device: str = "") -> bool:
    """Return whether a partition exists as a block device.

    Example::

        salt-g partition.exists /dev/sdb1
    """
    return os.path.exists(device) and stat.S_ISBLK(os.stat(device).st_mode)


def get_block_device() -> list[str]:
    """Return the names of all disks below /dev.

    Example::

        salt-g partition.get_block_device
    """
    return _lines(["lsblk", "-n", "-io", "KNAME", "-d", "-e", _NO_DISKS, "-l"])


def _parted(device: str, *words: str) -> list[str]:
    # A negative boundary is not an option.
    return _lines(["parted", "-m", "-s", "--", device, *words])


def _on_minor(command: str, device: str, *minors: Any) -> list[str]:
    _check_device(device)
    for minor in minors:
        _check_minor(minor, command)
    return _parted(device, command, *map(str, minors))


def _sfdisk(*words: str) -> list[str]:
    require("sfdisk")
    return _lines(["sfdisk", *words])


def _lines(argv: list[str]) -> list[str]:
    """Return the output lines of a program, including its error output."""
    return run(argv, redirect_stderr=True, ignore_retcode=False)["stdout"].splitlines()


def _first(lines: list[str]) -> str | list[str]:
    return lines[0] if len(lines) == 1 else lines


def _check(is_valid: bool, what: str, function: str) -> None:
    if not is_valid:
        raise CommandExecutionError(f"Invalid {what} passed to partition.{function}")


def _check_device(device: str) -> None:
    if not exists(device):
        raise CommandExecutionError("Invalid device passed to partition module.")


def _check_minor(minor: Any, function: str) -> None:
    _check(_is_number(minor), "minor number", function)


def _is_number(value: Any) -> bool:
    return str(value).isdigit()


def _check_boundaries(*boundaries: Any) -> None:
    for boundary in boundaries:
        if not _BOUNDARY.fullmatch(str(boundary)):
            raise CommandExecutionError(f'Invalid partition boundary passed: "{boundary}"')


def _state(state: Any, function: str) -> str:
    """Return `on` or `off`, which YAML may have turned into a bool."""
    word = ("on" if state else "off") if isinstance(state, bool) else state
    _check(word in ("on", "off"), "state", function)
    return str(word)
