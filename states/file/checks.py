"""Argument checks shared by the file states, made before the disk is read.

Shapes: a check returns '' or the comment of the failed result.
"""

from __future__ import annotations

import logging
import os
import pwd
from typing import Any

from salt_g import safe_files
from salt_g.api import call, current, opts

log = logging.getLogger(__name__)

Name = str | int | None


def path_problem(name: str, function: str) -> str:
    """Return the problem with the path of a state."""
    if not name:
        return f"Must provide name to file.{function}"
    if not os.path.isabs(name):
        return f"Specified file {name} is not an absolute path"
    return link_problem(name, follow=False)


def link_problem(name: str, *, follow: bool) -> str:
    """Return the problem of an untrusted link in a path; with `follow` the path itself can be a link."""
    try:
        safe_files.check(name, follow=follow)
    except safe_files.UntrustedPath as exc:
        return str(exc)
    except OSError:
        pass  # the next access of the path reports what is wrong with it
    return ""


def file_problem(name: str, function: str) -> str:
    """Return the problem with the path of a file that must exist already."""
    problem = path_problem(name, function) or link_problem(name, follow=True)
    return problem or ("" if os.path.exists(name) else f"{name}: file not found")


def owner_problem(user: Name, group: Name) -> str:
    """Return the problem of an unknown user or group; only log it in test mode, as a state may create it."""
    problem = ""
    if user and call("file.user_to_uid", user) == "":
        problem += f"User {user} is not available "
    if group and call("file.group_to_gid", group) == "":
        problem += f"Group {group} is not available"
    if problem and opts["test"]:
        log.warning("%s", problem)
        return ""
    return problem


def joined_problems(*problems: str) -> str:
    """Return several problems as one comment."""
    found = [problem for problem in problems if problem]
    return ". ".join(found) + ("." if len(found) > 1 else "")


def named_user(kwargs: dict[str, Any], user: Name) -> Name:
    """Return the user, or `owner` if `user` is not given."""
    if user or "owner" not in kwargs:
        return user
    log.warning('argument "owner" of a file state is used as "user"; please write "user"')
    owner: Name = kwargs["owner"]
    return owner


def default_owner(user: Name, group: Name) -> tuple[Name, Name]:
    """Return user and group of a created file.

    A missing user is the one salt-g runs as, a missing group is the user's primary group.
    """
    if user is None:
        user = opts.get("user") or call("file.uid_to_user", os.geteuid())
    if group is None:
        group = call("file.gid_to_group", _primary_gid(user))
    return user, group


def unknown_owner(user: Name, group: Name) -> tuple[str, str]:
    """Return a text on the user and one on the group, each '' if that exists."""
    return (
        f"User {user} does not exist" if call("file.user_to_uid", user) == "" else "",
        f"Group {group} does not exist" if call("file.group_to_gid", group) == "" else "",
    )


def saltenv() -> str:
    """Return the environment of the running state."""
    return current().saltenv or "base"


def _primary_gid(user: Name) -> int:
    try:
        return pwd.getpwuid(user).pw_gid if isinstance(user, int) else pwd.getpwnam(str(user)).pw_gid
    except KeyError:
        return 0
