"""Mounts on demand by an automounter: a map of direct mounts listed in /etc/auto_master.

Shapes: a line is (/..mount point, -fstype=<type>,<options>, <type>:<device>).
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules import _text_file
from salt_g.modules._programs import run
from salt_g.modules.mount._options import option_list

_MASTER = "/etc/auto_master"
#: Prefix of a mount point that makes it an absolute path for the automounter.
_PREFIX = "/.."
_FILE_MODE = 0o644


def automaster(config: str = "/etc/auto_salt") -> dict[str, dict[str, Any]]:
    """Return {mount point: {"device", "fstype", "opts"}} of a map, with `-fstype=ext4` as the "fstype".

    Example::

        salt-g mount.automaster
    """
    entries = filter(None, map(_entry, _lines(config)))
    return {name: {"device": device, "fstype": opts[0], "opts": opts[1:]} for name, opts, device in entries}


def set_automaster(
    name: str,
    device: str,
    fstype: str,
    opts: Any = "",
    config: str = "/etc/auto_salt",
    test: bool = False,
    not_change: bool = False,
    **kwargs: Any,
) -> str:
    """Add a device to the mounts on demand, or change its entry; return `new`, `change` or `present`.

    `not_change` keeps an existing entry; `test` writes nothing.

    Example::

        salt-g mount.set_automaster /mnt/foo /dev/sdz1 ext4
    """
    source = f"{'' if fstype == 'smbfs' else fstype}:{device}"
    wanted = f"{_PREFIX}{name}\t-fstype={fstype},{','.join(option_list(opts))}\t{source}\n"
    lines = _lines(config)
    found = [at for at, line in enumerate(lines) if _is_same(line, name, device)]
    if found and (not_change or all(lines[at].split() == wanted.split() for at in found)):
        return "present"
    for at in found:
        lines[at] = wanted
    if not test:
        _announce(config)
        _write(config, lines if found else [*lines, wanted])
    return "change" if found else "new"


def rm_automaster(name: str, device: str | None, config: str = "/etc/auto_salt") -> bool:
    """Remove the entry of a mount point, but only if it has this device (None: any); return True.

    Example::

        salt-g mount.rm_automaster /mnt/foo /dev/sdg
    """
    entry = automaster(config).get(name)
    if entry is None or device not in (None, "", entry["device"]):
        return True
    _write(config, [line for line in _lines(config) if not _is_same(line, name, None)])
    run(["automount", "-cv"])
    return True


def _entry(line: str) -> tuple[str, list[str], str] | None:
    words = line.split()
    if line.startswith("#") or len(words) != 3:
        return None
    return words[0].removeprefix(_PREFIX), words[1].split(","), words[2].partition(":")[2]


def _is_same(line: str, name: str, device: str | None) -> bool:
    entry = _entry(line)
    return entry is not None and (entry[0] == name or (device is not None and entry[2] == device))


def _lines(config: str) -> list[str]:
    if not os.path.isfile(config):
        return []
    with open(config, encoding="utf-8") as file:
        return file.readlines()


def _announce(config: str) -> None:
    """Add a new map to the master map."""
    if os.path.isfile(config):
        return
    line = f"/-\t\t\t{config}\n"
    lines = _lines(_MASTER)
    if line not in lines:
        _write(_MASTER, [*lines, line])


def _write(config: str, lines: list[str]) -> None:
    try:
        _text_file.rewrite_durably(config, "".join(lines), mode=_FILE_MODE)
    except OSError as exc:
        raise CommandExecutionError(f"File not writable {config}: {exc.strerror}") from exc
