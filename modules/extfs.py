"""ext2, ext3 and ext4 file systems: creation, tuning and inspection with e2fsprogs.

Shapes: `dump` returns {"attributes": {name: text; features as a list}, "blocks": {"Group 0":
{"group", "range", "free blocks", "free inodes", "extra": further lines}}}.
Source: mke2fs(8), tune2fs(8), dumpe2fs(8).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, own_arguments
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import run
from salt_g.modules._required import require

_MAKE_OPTIONS = {
    "block_size": "b",
    "blocks_file": "l",
    "blocks_per_group": "g",
    "bytes_per_inode": "i",
    "check": "c",
    "cluster_size": "C",
    "creator_os": "o",
    "direct": "D",
    "errors_behavior": "e",
    "ext_opts": "E",
    "force": "F",
    "fragment_size": "f",
    "inode_size": "I",
    "journal": "j",
    "journal_opts": "J",
    "label": "L",
    "last_dir": "M",
    "number_of_groups": "G",
    "number_of_inodes": "N",
    "opts": "O",
    "reserved": "m",
    "revision": "r",
    "root_directory": "d",
    "super": "S",
    "test": "n",
    "usage_type": "T",
    "uuid": "U",
}
_TUNE_OPTIONS = {
    "count": "C",
    "error": "e",
    "extended_opts": "E",
    "feature": "O",
    "force": "f",
    "group": "g",
    "interval": "i",
    "journal": "j",
    "journal_opts": "J",
    "label": "L",
    "last_dir": "M",
    "max": "c",
    "mmp_check": "p",
    "opts": "o",
    "quota_opts": "Q",
    "reserved": "r",
    "reserved_percentage": "m",
    "time": "T",
    "user": "u",
    "uuid": "U",
}
#: Prefixes of mke2fs' progress lines.
_PROGRESS = (
    *("mke2fs", "Discarding device blocks", "Allocating group tables", "Writing inode tables"),
    *("Creating journal", "Writing superblocks"),
)
_GROUP = re.compile(r"Group (\d+): \(Blocks ([\d-]+)\)")


def mkfs(device: str, fs_type: str, full_return: bool = False, **kwargs: Any) -> Any:
    """Create a file system on a device or in a file, overwriting its content; return mke2fs' output lines.

    fs_type
        `ext2`, `ext3` or `ext4`.
    full_return
        Return the result of `cmd.run_all`, with the lines as `comment`.

    Options with a value: block_size, blocks_file, blocks_per_group, bytes_per_inode, cluster_size,
    creator_os, errors_behavior, ext_opts, fragment_size, inode_size, journal_opts, label, last_dir,
    number_of_groups, number_of_inodes, opts (features, mke2fs -O), reserved (percent), revision,
    root_directory, usage_type, uuid. Options without a value, given as True: check, direct, force, journal,
    super, test (create nothing).

    Example::

        salt-g extfs.mkfs /dev/sdb1 ext4 label=data
    """
    words = _words("extfs.mkfs", _MAKE_OPTIONS, own_arguments(kwargs))
    done, lines = _run(["mke2fs", "-F", "-t", fs_type, *words, device])
    shown = [line for line in lines if line and not line.startswith(_PROGRESS)]
    return {**done, "comment": shown} if full_return else shown


def tune(device: str, full_return: bool = False, **kwargs: Any) -> Any:
    """Change parameters of a file system; return the output lines of tune2fs.

    full_return
        Return the result of `cmd.run_all`, with the lines as `comment`.

    Options with a value: count and max (numbers of mounts), error, extended_opts, feature, group, interval,
    journal_opts, label, last_dir, mmp_check, opts, quota_opts, reserved (blocks), reserved_percentage, time,
    user, uuid. Options without a value, given as True: force, journal.

    Example::

        salt-g extfs.tune /dev/sdb1 label=data reserved_percentage=1
    """
    words = _words("extfs.tune", _TUNE_OPTIONS, own_arguments(kwargs))
    done, lines = _run(["tune2fs", *words, device])
    return {**done, "comment": lines} if full_return else lines


def attributes(device: str, args: str | None = None) -> dict[str, Any]:
    """Return the attributes in the superblock of a file system.

    args
        Further letters for dumpe2fs, such as `h` for only the superblock.

    Example::

        salt-g extfs.attributes /dev/sdb1
    """
    found: dict[str, Any] = dump(device, args)["attributes"]
    return found


def blocks(device: str, args: str | None = None) -> dict[str, Any]:
    """Return the block groups of a file system. `args` is that of `extfs.attributes`.

    The result is {"Group 0": {"group", "range", "free blocks", "free inodes", "extra": further lines}}.

    Example::

        salt-g extfs.blocks /dev/sdb1
    """
    found: dict[str, Any] = dump(device, args)["blocks"]
    return found


def dump(device: str, args: str | None = None) -> dict[str, dict[str, Any]]:
    """Return {"attributes", "blocks"} of a file system, as `extfs.attributes` and `extfs.blocks` do.

    `args` is that of `extfs.attributes`. Raises CommandExecutionError if dumpe2fs finds no such file system.

    Example::

        salt-g extfs.dump /dev/sdb1
    """
    require("dumpe2fs")
    done = run(["dumpe2fs", *([f"-{args}"] if args else []), device])
    if done["retcode"]:
        raise CommandExecutionError(f"dumpe2fs {device}: {_last_message(done['stderr'])}")
    lines = [line for line in done["stdout"].splitlines() if line.strip()]
    first = next((number for number, line in enumerate(lines) if _GROUP.match(line)), len(lines))
    return {"attributes": _attributes(lines[:first]), "blocks": _blocks(lines[first:])}


def _attributes(lines: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in lines:
        name, colon, value = line.replace("\t", " ").partition(": ")
        if colon:
            found[name] = value.split() if name == "Filesystem features" else value.strip()
    return found


def _blocks(lines: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    group: dict[str, Any] = {}
    for line in lines:
        begins = _GROUP.match(line)
        name, _, value = line.strip().partition(": ")
        if begins:
            group = {"group": begins[1], "range": begins[2], "extra": []}
            found[f"Group {begins[1]}"] = group
        elif name in ("Free blocks", "Free inodes"):
            group[name.lower()] = value.split(", ")
        else:
            group["extra"].append(line.strip())
    return found


def _words(function: str, known: Mapping[str, str], given: Mapping[str, Any]) -> list[str]:
    """Return options as command arguments; options that are false are left out.

    Raises InvocationError for an unknown option, because a file system created without the option could not
    be changed later.
    """
    words = []
    for name, value in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; nearest: {near[0]!r}" if near else ""
            raise InvocationError(f"{function} has no option {name!r}{hint}")
        if str(value).lower() == "true":
            words.append(f"-{known[name]}")
        elif value is not False and value is not None:
            words += [f"-{known[name]}", str(value)]
    return words


def _run(words: list[str]) -> tuple[dict[str, Any], list[str]]:
    """Run a program; return the result of `cmd.run_all` and all output lines. A failure fails the job."""
    require(words[0])
    done = dict(call("cmd.run_all", words, python_shell=False))
    return done, "\n".join(filter(None, [done["stdout"], done["stderr"]])).splitlines()


def _last_message(text: str) -> str:
    """Return the last message of dumpe2fs, without the name of the program."""
    return (text.strip().splitlines() or ["it failed"])[-1].removeprefix("dumpe2fs: ")
