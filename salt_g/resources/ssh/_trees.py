"""Directory trees of the host: listing, and changes of owners and modes, each in few round trips.

Shapes: a tree is a list of `PathState`; a plan of changes is {path: {"user" | "group" | "mode": value}}.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from salt_g.resources.ssh import _files, _remote, _undo
from salt_g.resources.ssh._files import PathState

_WALK = r"""
depth=; [ -z "$2" ] || depth="-maxdepth $2"
find "$1" -mindepth 1 $depth -exec stat -c '%f %u %g %U %G %n' {} +
"""
_LINK = 0o120000


def walk(
    path: str, max_depth: int | None, user: str | int | None, group: str | int | None
) -> list[PathState]:
    """Return all paths below a directory, down to `max_depth` (None: all), without following links."""
    top = _files.path_state(path, user=user, group=group)
    depth = "" if max_depth is None else str(max_depth)
    found = []
    for line in _remote.output(_WALK, path, depth, timeout=None).splitlines():
        number, uid, gid, owner, owning, name = line.split(" ", 5)
        mode = int(number, 16)
        found.append(
            PathState(
                name, mode, int(uid), int(gid), user=owner, group=owning,
                target="" if mode & 0o170000 == _LINK else None,
                wanted_uid=top.wanted_uid, wanted_gid=top.wanted_gid,
            )
        )  # fmt: skip
    return found


def set_all_permissions(plan: Mapping[str, Mapping[str, Any]]) -> None:
    """Set owners and modes of many paths."""
    _undo.announce(*plan, follow=True)
    lines = ["set -e"]
    for path, parts in plan.items():
        owner = _files.owner_text(parts.get("user"), parts.get("group"))
        if owner:
            lines.append(f"chown -- {shlex.quote(owner)} {shlex.quote(path)}")
        if "mode" in parts:
            lines.append(f"chmod -- {shlex.quote(str(parts['mode']))} {shlex.quote(path)}")
    # The plan of a large tree exceeds the size limit of an argument, so the script goes to standard input.
    _remote.output("exec /bin/sh -s", stdin="\n".join(lines).encode() + b"\n", timeout=None)
