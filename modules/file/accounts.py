"""Names of users and groups by number.

A number without a name is returned unchanged.
"""

from __future__ import annotations

import grp
import pwd


def user_name(uid: int) -> str | int:
    """Return the name of a user id, or the id if it has no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return uid


def group_name(gid: int) -> str | int:
    """Return the name of a group id, or the id if it has no name."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return gid
