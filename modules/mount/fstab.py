"""Mounts at boot: /etc/fstab.

Source: fstab(5).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules import _text_file
from salt_g.modules.mount._options import option_list

#: File system types without a meaningful device; their entries are identified by the mount point.
_NAMELESS = frozenset(
    (
        *("none", "tmpfs", "sysfs", "proc", "fusectl", "debugfs", "securityfs", "devtmpfs", "cgroup"),
        *("nfs", "nfs4", "glusterfs", "btrfs", "ceph"),
    )
)
_FIELDS = ("device", "name", "fstype", "opts", "dump", "pass_num")
_FILE_MODE = 0o644


def fstab(config: str = "/etc/fstab") -> dict[str, dict[str, Any]]:
    """Return {mount point: {"device", "fstype", "opts", "dump", "pass"}} of the mounts at boot.

    A repeated mount point gets the suffix `_`.

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
    """Add a device to the mounts at boot, or change its entry; return `new`, `change` or `present`.

    `match_on` names the fields that identify the entry (`auto`: device, or name if the device is not
    meaningful); `not_change` keeps an existing entry; `test` writes nothing.

    Example::

        salt-g mount.set_fstab /mnt/data /dev/sdb1 ext4
    """
    values = (device, name, fstype, ",".join(option_list(opts)), str(dump), str(pass_num))
    wanted = {key: value.replace("\\ ", "\\040") for key, value in zip(_FIELDS, values, strict=True)}
    keys = _matching_keys(match_on, fstype)
    if not os.path.isfile(config):
        raise CommandExecutionError(f'Bad config file "{config}"')
    lines, verdict = [], "new"
    for line in _lines(config):
        entry = _entry(line)
        if entry and all(entry[key] == wanted[key] for key in keys):
            is_kept = not_change or entry == wanted
            verdict = "present" if is_kept and verdict == "new" else verdict if is_kept else "change"
            line = line if is_kept else _line(wanted)
        lines.append(line)
    if verdict == "new":
        lines.append(_line(wanted))
    if verdict != "present" and not test:
        _write(config, lines)
    return verdict


def vfstab(config: str = "/etc/vfstab") -> dict[str, dict[str, Any]]:
    """Return the entries of a table, /etc/vfstab by default, as `mount.fstab` does.

    Example::

        salt-g mount.vfstab
    """
    return fstab(config)


def rm_fstab(name: str, device: str | None = None, config: str = "/etc/fstab") -> bool:
    """Remove the entries of a mount point, or only those with the device `device`; return True.

    Example::

        salt-g mount.rm_fstab /mnt/data /dev/sdb1
    """
    lines = _lines(config)
    kept = [line for line in lines if not _is_meant(_entry(line), name, device)]
    if len(kept) != len(lines):
        _write(config, kept)
    return True


def _lines(config: str) -> list[str]:
    if not os.path.isfile(config):
        return []
    with open(config, encoding="utf-8") as file:
        return file.readlines()


def _entry(line: str) -> dict[str, str] | None:
    """Return the fields of a line, or None for a comment or a line with fewer than four fields."""
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
        _text_file.rewrite_durably(config, "".join(_ended(lines)), mode=_FILE_MODE)
    except OSError as exc:
        raise CommandExecutionError(f"File not writable {config}: {exc.strerror}") from exc


def _ended(lines: list[str]) -> Iterator[str]:
    return (line if line.endswith("\n") else f"{line}\n" for line in lines)
