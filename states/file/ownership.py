"""Comparison of the owner and mode of many paths with the wanted values.

Directory states check every path of a tree, so user and group names are resolved only once.
"""

from __future__ import annotations

import os
import stat
from typing import Any, NamedTuple

from salt_g.api import call
from salt_g.process.disk import mode_text

Name = str | int | None


class Ownership(NamedTuple):
    """Wanted owner of paths; None leaves a part alone. Built by `ownership`."""

    user: Name
    group: Name
    uid: int | str | None
    gid: int | str | None
    follow_symlinks: bool

    def differing(self, path: str, mode: str | None) -> dict[str, Any]:
        """Return {"user", "group", "mode": wanted value} where different; {} if the path is missing."""
        try:
            found = os.stat(path, follow_symlinks=self.follow_symlinks)
        except OSError:
            try:
                found = os.lstat(path)
            except OSError:
                return {}
        wrong: dict[str, Any] = {}
        if self.user is not None and self.uid != found.st_uid:
            wrong["user"] = self.user
        if self.group is not None and self.gid != found.st_gid:
            wrong["group"] = self.group
        # Linux has no modes for links.
        if mode is not None and not stat.S_ISLNK(found.st_mode) and mode != _mode(found):
            wrong["mode"] = mode
        return wrong


def ownership(user: Name, group: Name, *, follow_symlinks: bool) -> Ownership:
    """Return the comparison with this user and group; unknown names differ from every owner."""
    uid = None if user is None else call("file.user_to_uid", user)
    gid = None if group is None else call("file.group_to_gid", group)
    return Ownership(user, group, uid, gid, follow_symlinks)


def _mode(found: os.stat_result) -> str | None:
    return mode_text(oct(stat.S_IMODE(found.st_mode)))
