"""Resolution of paths below another root, as a process inside would resolve them.

An absolute link inside a root refers to the root's own tree; outside of the root, the kernel would follow it
into the host's tree.
"""

from __future__ import annotations

import os

from salt_g.errors import CommandExecutionError

#: Maximum number of links the kernel follows in one path (path_resolution(7)).
_MOST_LINKS = 40


def within(root: str, path: str, *, follow: bool = True) -> str:
    """Return the path on the host for `path`, an absolute path inside `root`; missing parts stay as written.

    `follow` also resolves a final link. Raises CommandExecutionError for a loop of links.
    """
    waiting = [part for part in path.split("/") if part not in ("", ".")]
    found: list[str] = []
    links = 0
    while waiting:
        part = waiting.pop(0)
        if part == "..":
            # As in the kernel, the parent of the root is the root.
            found = found[:-1]
            continue
        here = os.path.join(root, *found, part)
        if (waiting or follow) and os.path.islink(here):
            links += 1
            if links > _MOST_LINKS:
                raise CommandExecutionError(f"too many links in {path!r} below {root!r}")
            target = os.readlink(here)
            found = [] if target.startswith("/") else found
            waiting = [*(part for part in target.split("/") if part not in ("", ".")), *waiting]
        else:
            found.append(part)
    return os.path.join(root, *found)
