"""Device nodes and named pipes."""

from __future__ import annotations

import os
import stat
from typing import Any

from salt_g import safe_files
from salt_g.api import opts
from salt_g.errors import InvocationError
from salt_g.modules.file.directories import makedirs
from salt_g.modules.file.permissions import check_perms

Name = str | int | None


def mknod(
    name: str,
    ntype: str,
    major: int = 0,
    minor: int = 0,
    user: Name = None,
    group: Name = None,
    mode: str = "0600",
) -> dict[str, Any]:
    """Create a node: `ntype` is `c` (character device), `b` (block device) or `p` (pipe).

    Returns {"name", "changes", "comment", "result"}; missing directories are created, too.

    Example::

        salt-g file.mknod /dev/chr c 180 31
    """
    makedirs(name, user, group)
    if ntype == "c":
        return mknod_chrdev(name, major, minor, user, group, mode)
    if ntype == "b":
        return mknod_blkdev(name, major, minor, user, group, mode)
    if ntype == "p":
        return mknod_fifo(name, user, group, mode)
    raise InvocationError(
        f"Node type unavailable: '{ntype}'. Available node types are character ('c'), block ('b'), "
        "and pipe ('p')."
    )


def mknod_chrdev(
    name: str, major: int, minor: int, user: Name = None, group: Name = None, mode: str = "0660"
) -> dict[str, Any]:
    """Create a character device; return {"name", "changes", "comment", "result"}.

    Example::

        salt-g file.mknod_chrdev /dev/chr 180 31
    """
    return _make(name, "Character device", stat.S_IFCHR, os.makedev(major, minor), user, group, mode)


def mknod_blkdev(
    name: str, major: int, minor: int, user: Name = None, group: Name = None, mode: str = "0660"
) -> dict[str, Any]:
    """Create a block device; return {"name", "changes", "comment", "result"}.

    Example::

        salt-g file.mknod_blkdev /dev/blk 8 999
    """
    return _make(name, "Block device", stat.S_IFBLK, os.makedev(major, minor), user, group, mode)


def mknod_fifo(name: str, user: Name = None, group: Name = None, mode: str = "0660") -> dict[str, Any]:
    """Create a named pipe; return {"name", "changes", "comment", "result"}.

    Example::

        salt-g file.mknod_fifo /run/app.pipe
    """
    return _make(name, "Fifo pipe", stat.S_IFIFO, 0, user, group, mode)


def _make(
    name: str, kind: str, type_bits: int, device: int, user: Name, group: Name, mode: str
) -> dict[str, Any]:
    name = os.path.expanduser(name)
    ret: dict[str, Any] = {"name": name, "changes": {}, "comment": "", "result": False}
    if opts["test"]:
        return {**ret, "changes": {"new": f"{kind} {name} created."}, "result": None}
    try:
        safe_files.make_node(name, int(str(mode).lstrip("0Oo") or "0", 8) | type_bits, device)
    except FileExistsError:
        ret["comment"] = f"File {name} exists and cannot be overwritten"
    else:
        ret.update(changes={"new": f"{kind} {name} created."}, result=True)
    check_perms(name, None, user, group, str(mode) if mode else None)
    return ret
