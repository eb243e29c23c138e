"""Grains of this process: user, working directory, search path."""

from __future__ import annotations

import os
from typing import Any

__virtualname__ = "core"


def user() -> dict[str, Any]:
    """Return the effective uid and gid, the user's name and primary group, and the process id."""
    import grp  # Imported lazily: only this function uses these tables of the C library.
    import pwd

    uid, gid = os.geteuid(), os.getegid()
    return {
        "username": _name(lambda: pwd.getpwuid(uid).pw_name),
        "groupname": _name(lambda: grp.getgrgid(pwd.getpwuid(uid).pw_gid).gr_name),
        "pid": os.getpid(),
        "uid": uid,
        "gid": gid,
    }


def path() -> dict[str, Any]:
    """Return the program search path as text and as a list."""
    searched = os.environ.get("PATH", "").strip()
    return {"path": searched, "systempath": searched.split(os.pathsep)}


def shell() -> dict[str, str]:
    """Return the user's shell."""
    return {"shell": os.environ.get("SHELL", "/bin/sh")}


def cwd() -> dict[str, str]:
    """Return the working directory, or {} if it has been removed."""
    try:
        return {"cwd": os.getcwd()}
    except FileNotFoundError:
        return {}


def _name(find: Any) -> str:
    try:
        return str(find())
    except KeyError:
        return ""
