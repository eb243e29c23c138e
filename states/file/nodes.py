"""Device nodes and named pipes."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, would_change

#: Name of each kind, and the execution function that detects it.
_KINDS = {
    "c": ("Character device", "character device", "file.is_chrdev"),
    "b": ("Block device", "block device", "file.is_blkdev"),
    "p": ("Fifo pipe", "fifo pipe", "file.is_fifo"),
}


def mknod(
    name: str,
    ntype: str,
    major: int = 0,
    minor: int = 0,
    user: str | int | None = None,
    group: str | int | None = None,
    mode: str = "0600",
) -> StateReturn:
    """Ensure that a node exists: `ntype` is `c` (character device), `b` (block device) or `p` (pipe).

    An existing node with other numbers, or another kind of file, is an error.

    Example::

        /dev/chr:
          file.mknod:
            - ntype: c
            - major: 180
            - minor: 31
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.mknod")
    if ntype not in _KINDS:
        return failed(
            name,
            f"Node type unavailable: '{ntype}'. Available node types are character ('c'), block ('b'), "
            "and pipe ('p')",
        )
    kind, lower, is_kind = _KINDS[ntype]
    if call("file.file_exists", name):
        return failed(name, f"File {name} exists and is not a {lower}. Refusing to continue")
    made: StateReturn
    if not call(is_kind, name):
        if opts["test"]:
            return would_change(name, f"{kind} {name} is set to be created")
        made = call("file.mknod", name, ntype, major, minor, user, group, mode)
        return made
    return _checked(name, kind, ntype, (major, minor), user, group, mode)


def _checked(
    name: str, kind: str, ntype: str, numbers: tuple[int, int], user: Any, group: Any, mode: str
) -> StateReturn:
    if ntype != "p":
        found = tuple(call("file.get_devmm", name))
        if found != numbers:
            said = f"{kind} {name} exists and has a different major/minor {found[0]}/{found[1]}."
            return failed(name, f"{said} Refusing to continue")
    ret: StateReturn = call("file.check_perms", name, None, user, group, mode)[0]
    if not ret["changes"]:
        ret["comment"] = f"{kind} {name} is in the correct state"
    return ret
