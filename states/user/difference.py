"""Differences between a user and the wanted parameters.

Shapes: in UserParams, out {attribute: wanted value} in stock's report order; None if the user does not exist.
Errors: CommandExecutionError for a changed uid or gid without permission.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, resource
from salt_g.errors import CommandExecutionError
from salt_g.shapes import GECOS
from salt_g.states.user.params import UserParams

#: {argument: key of `shadow.info`}
AGES = {"mindays": "min", "maxdays": "max", "inactdays": "inact", "warndays": "warn"}


def difference(wanted: UserParams, *, allow_numbers: bool = False) -> dict[str, Any] | None:
    """Return the necessary changes; `allow_numbers` permits uid and gid to differ."""
    user = wanted.info()
    if not user:
        return None
    differs = {
        **_numbers(wanted, user),
        **_groups(wanted, user),
        **_places(wanted, user),
        **_password(wanted, wanted.shadow()),
        **_comment(wanted, user),
    }
    if not allow_numbers:
        _check_numbers(wanted, user, differs)
    return differs


def gid_of(group: int | str) -> Any:
    """Return the gid of a group given by name or number, or '' if it does not exist."""
    if isinstance(group, int) or str(group).isdigit():
        return int(group)
    return call("group.info", group).get("gid", "")


def _numbers(wanted: UserParams, user: dict[str, Any]) -> dict[str, Any]:
    differs: dict[str, Any] = {}
    if wanted.uid and user["uid"] != wanted.uid:
        differs["uid"] = wanted.uid
    gid = _wanted_gid(wanted)
    if gid is not None and user["gid"] not in (gid, gid_of(gid)):
        differs["gid"] = gid
    return differs


def _wanted_gid(wanted: UserParams) -> int | str | None:
    """Return the primary group: with `usergroup` that of the user's own name, if it exists."""
    return wanted.name if wanted.usergroup and gid_of(wanted.name) != "" else wanted.gid


def _groups(wanted: UserParams, user: dict[str, Any]) -> dict[str, Any]:
    """Compare the supplementary groups by number, since two names can share one."""
    names = wanted.all_groups
    if names is None:
        return {}
    names = sorted(set(names) if wanted.remove_groups else {*names, *user["groups"]})
    gid = _wanted_gid(wanted)
    primary = user["gid"] if gid is None else gid_of(gid)
    numbers = {name: gid_of(name) for name in names}
    names = [name for name in names if numbers[name] != primary]
    # The group with the user's own name is added and removed with the user, unless the SLS names it.
    aside = {primary, user["gid"]} | ({gid_of(wanted.name)} if wanted.name not in names else set())
    has = {gid_of(name) for name in user["groups"]} - aside
    wants = {numbers[name] for name in names}
    differ = wants != has if wanted.remove_groups else not wants <= has
    return {"groups": names} if differ else {}


def is_directory(path: str) -> bool:
    """Return whether a path is a directory, on this machine or on the resource of the call."""
    return bool(call("file.directory_exists", path)) if resource else os.path.isdir(path)


def _places(wanted: UserParams, user: dict[str, Any]) -> dict[str, Any]:
    differs: dict[str, Any] = {}
    if wanted.home and user["home"] != wanted.home:
        differs["home"] = wanted.home
    home = wanted.home or user["home"]
    if wanted.createhome and home is not None and not is_directory(home):
        differs["homeDoesNotExist"] = home
    if wanted.shell and user["shell"] != wanted.shell:
        differs["shell"] = wanted.shell
    return differs


def _password(wanted: UserParams, shadow: dict[str, Any]) -> dict[str, Any]:
    if not shadow:
        return {}
    differs: dict[str, Any] = {}
    has_none = shadow["passwd"] == call("shadow.default_hash")
    may_set = wanted.password and not wanted.empty_password and (has_none or wanted.enforce_password)
    if may_set and shadow["passwd"] != wanted.password:
        differs["passwd"] = wanted.password
    if wanted.empty_password and shadow["passwd"] != "":
        differs["empty_password"] = True
    if wanted.date is not None and shadow["lstchg"] != wanted.date:
        differs["date"] = wanted.date
    for key, field in AGES.items():
        value = getattr(wanted, key)
        if value is not None and shadow[field] != value:
            differs[key] = value
    if wanted.expire and shadow["expire"] != wanted.expire:
        differs["expire"] = wanted.expire
    if wanted.password_lock is not None and wanted.password_lock is not shadow["passwd"].startswith("!"):
        differs["password_lock"] = wanted.password_lock
    return differs


def _comment(wanted: UserParams, user: dict[str, Any]) -> dict[str, Any]:
    values = {key: getattr(wanted, key) for key in GECOS}
    return {key: value for key, value in values.items() if value is not None and user[key] != value}


def _check_numbers(wanted: UserParams, user: dict[str, Any], differs: dict[str, Any]) -> None:
    """Reject a change of uid or gid without explicit permission: files keep the old numbers."""
    refused = [
        f"Changing {key} ({user[key]} -> {differs[key]}) not permitted, set allow_{key}_change to True to "
        "force this change. Note that this will not change file ownership."
        for key in ("uid", "gid")
        if key in differs and not getattr(wanted, f"allow_{key}_change")
    ]
    if not refused:
        return
    text = "Encountered error checking for needed changes. Additional info follows:"
    raise CommandExecutionError("\n".join([text, "", *(f"- {line}" for line in refused)]))
