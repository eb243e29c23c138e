"""Results and argument checks shared by the file states.

Errors: Refused, whose text is the comment of the failed result.
"""

from __future__ import annotations

from typing import Any

from salt_g.resources.ssh._files import PathState
from salt_g.shapes import Changes, StateReturn

Name = str | int | None


class Refused(Exception):
    """Failure of a state because of its arguments or the host; the text is the comment."""


def result(name: str, result: bool | None, comment: str, changes: Changes | None = None) -> StateReturn:
    """Return a state's result as a StateReturn."""
    return {"name": name, "result": result, "comment": comment, "changes": changes or {}}


def absolute(name: str, function: str) -> str:
    """Return the path of a state; raises Refused if it is not absolute."""
    if not name:
        raise Refused(f"Must provide name to file.{function}")
    if not name.startswith("/"):
        raise Refused(f"Specified file {name} is not an absolute path")
    return name


def owner_problem(seen: PathState, user: Name, group: Name) -> str:
    """Return an error text if the requested user or group is unknown, else ''."""
    problem = ""
    if user not in (None, "") and seen.wanted_uid is None:
        problem += f"User {user} is not available "
    if group not in (None, "") and seen.wanted_gid is None:
        problem += f"Group {group} is not available"
    return problem


def wrong_owner(seen: PathState, user: Name, group: Name, mode: str | None) -> dict[str, Any]:
    """Return the requested user, group and mode that differ from the current ones."""
    wrong: dict[str, Any] = {}
    if user not in (None, "") and seen.wanted_uid != seen.uid:
        wrong["user"] = user
    if group not in (None, "") and seen.wanted_gid != seen.gid:
        wrong["group"] = group
    if mode is not None and mode != seen.mode:
        wrong["mode"] = mode
    return wrong
