"""Names of users and groups by number.

Why its own file: wherever results tell of a path they name who owns it; a number that nobody has stays one.
"""

from __future__ import annotations

import grp
import pwd


def user_name(uid: int) -> str | int:
    """Return the name of a user id, or the id when nobody has it."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return uid


def group_name(gid: int) -> str | int:
    """Return the name of a group id, or the id when no group has it."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return gid
