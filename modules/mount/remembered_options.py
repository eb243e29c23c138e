"""Cache of mount options for callers of stock's functions; salt-g's mount states do not use it.

Shapes: a file of JSON in the cache directory, {mount point: {"device", "fstype", "mkmnt", "opts"}}.
"""

from __future__ import annotations

import json
import os
from typing import Any

from salt_g.api import opts as settings
from salt_g.errors import CommandExecutionError
from salt_g.process import disk

_FILE = "mounts.json"


def read_mount_cache(name: str) -> dict[str, Any]:
    """Return the cached options of a mount point, or {} if there are none.

    Example::

        salt-g mount.read_mount_cache /mnt/share
    """
    known: dict[str, Any] = _read().get(name, {})
    return known


def write_mount_cache(real_name: str, device: str, mkmnt: bool, fstype: str, mount_opts: Any) -> bool:
    """Store the options of a mount; return True.

    Example::

        salt-g mount.write_mount_cache /mnt/share /dev/sda1 False ext4 defaults,nosuid
    """
    entry = {"device": device, "fstype": fstype, "mkmnt": mkmnt, "opts": mount_opts}
    _write({**_read(), real_name: entry})
    return True


def delete_mount_cache(real_name: str) -> bool:
    """Delete the cached options of a mount; return True.

    Example::

        salt-g mount.delete_mount_cache /mnt/share
    """
    known = _read()
    if known.pop(real_name, None) is not None:
        _write(known)
    return True


def _path() -> str:
    return os.path.join(settings["cachedir"], _FILE)


def _read() -> dict[str, Any]:
    try:
        with open(_path(), encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(known: dict[str, Any]) -> None:
    try:
        disk.write_whole(_path(), json.dumps(known))
    except OSError as exc:
        raise CommandExecutionError(f"Unable to write mount cache. {_path()}: {exc.strerror}") from exc
