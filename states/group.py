"""States of groups.

Source: stock's `group` states; conformance case `states/user-group-test`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change


def present(
    name: str,
    gid: int | None = None,
    system: bool = False,
    addusers: Sequence[str] | None = None,
    delusers: Sequence[str] | None = None,
    members: Sequence[str] | None = None,
    non_unique: bool = False,
    local: bool = False,
) -> StateReturn:
    """Ensure that a group exists with this gid and these members.

    gid
        The group's number; the default is any free number.
    system
        Create a new group as a system group, with a low number.
    addusers, delusers
        Users that must and must not be members.
    members
        All members; cannot be combined with `addusers` and `delusers`.
    non_unique
        Allow a number that is already in use.
    local
        Use local groups only.

    Example::

        salt-g state.single group.present staff gid=7648 members='[frank]'
    """
    conflict = _conflict(addusers, delusers, members)
    if conflict:
        return outcome(name, None, conflict)
    differs = _difference(name, gid, addusers, delusers, members, local)
    if differs is None:
        return _create(name, gid, system, addusers, delusers, members, non_unique, local)
    if "result" in differs:
        return failed(name, differs["comment"])
    if not differs:
        return as_wanted(name, f"Group {name} is present and up to date")
    plan = "".join(f"{key}: {value}\n" for key, value in differs.items())
    comment = f"The following group attributes are set to be changed:\n{plan}"
    if opts.get("test"):
        return would_change(name, comment)
    _apply(name, differs, non_unique)
    left = _difference(name, gid, addusers, delusers, members, local)
    if left:
        return failed(name, comment + "Some changes could not be applied", {"Failed": left})
    return changed(name, comment, {"Final": "All changes applied successfully"})


def absent(name: str, local: bool = False) -> StateReturn:
    """Ensure that a group does not exist.

    Example::

        salt-g state.single group.absent staff
    """
    if not _info(name, local):
        return as_wanted(name, "Group not present")
    if opts.get("test"):
        return would_change(name, f"Group {name} is set for removal")
    if call("group.delete", name, local=local):
        return changed(name, f"Removed group {name}", {name: ""})
    return failed(name, f"Failed to remove group {name}")


def _conflict(addusers: Any, delusers: Any, members: Any) -> str:
    if members is not None and (addusers is not None or delusers is not None):
        others = '"addusers" and/or "delusers"'
        return f'Error: Conflicting options "members" with {others} can not be used together. '
    if set(addusers or ()) & set(delusers or ()):
        return "Error. Same user(s) can not be added and deleted simultaneously"
    return ""


def _info(name: str, local: bool) -> dict[str, Any]:
    return dict(call("group.info", name, **({"root": "/"} if local else {})))


def _difference(
    name: str, gid: Any, addusers: Any, delusers: Any, members: Any, local: bool
) -> dict[str, Any] | None:
    """Return the necessary changes, None if the group is missing, or a failed result for an invalid gid."""
    group = _info(name, local)
    if not group:
        return None
    has = group["members"]
    differs: dict[str, Any] = {}
    try:
        if gid and group["gid"] != int(gid):
            differs["gid"] = int(gid)
    except (TypeError, ValueError):
        return {"result": False, "comment": "Invalid gid"}
    if members is not None and set(has) != set(members):
        differs |= {"members": members} if members else {"delusers": set(has)}
    missing = [user for user in addusers or () if user not in has]
    surplus = [user for user in delusers or () if user in has]
    return differs | ({"addusers": missing} if missing else {}) | ({"delusers": surplus} if surplus else {})


def _apply(name: str, differs: dict[str, Any], non_unique: bool) -> None:
    if "gid" in differs:
        call("group.chgid", name, differs["gid"], non_unique=non_unique)
    if "members" in differs:
        call("group.members", name, ",".join(differs["members"]))
    for user in differs.get("addusers", ()):
        call("group.adduser", name, user)
    for user in differs.get("delusers", ()):
        call("group.deluser", name, user)


def _create(
    name: str,
    gid: int | None,
    system: bool,
    addusers: Any,
    delusers: Any,
    members: Any,
    non_unique: bool,
    local: bool,
) -> StateReturn:
    if opts.get("test"):
        return would_change(name, f"Group {name} set to be added")
    holder = None if gid is None or non_unique else _holder_of(gid)
    if holder is not None:
        return failed(name, f"Group {name} is not present but gid {gid} is already taken by group {holder}")
    if not call("group.add", name, gid=gid, system=system, non_unique=non_unique, local=local):
        return failed(name, f"Failed to create new group {name}")
    joining = addusers or members
    if joining:
        call("group.members", name, ",".join(joining))
    left = _difference(name, gid, addusers, delusers, members, local)
    if left:
        comment = f"Group {name} has been created but, some changes could not be applied"
        return failed(name, comment, {"Failed": left})
    return changed(name, f"New group {name} created", _info(name, local))


def _holder_of(gid: int) -> str | None:
    """Return the name of the group with this gid."""
    return next((group["name"] for group in call("group.getent") if group["gid"] == gid), None)
