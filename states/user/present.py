"""`user.present`: comparison, test mode plan, change and creation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change
from salt_g.states.user.apply import REDACTED, apply, create
from salt_g.states.user.difference import difference
from salt_g.states.user.params import UserParams


def present(
    name: str, uid: int | None = None, gid: int | str | None = None, usergroup: bool | None = None,
    groups: Sequence[str] | None = None, optional_groups: Sequence[str] | None = None,
    remove_groups: bool = True, home: str | None = None, createhome: bool = True,
    persist_home: bool = False, password: str | None = None, hash_password: bool = False,
    enforce_password: bool = True, empty_password: bool = False, shell: str | None = None,
    unique: bool = True, system: bool = False, fullname: Any = None, roomnumber: Any = None,
    workphone: Any = None, homephone: Any = None, other: Any = None, loginclass: str | None = None,
    date: Any = None, mindays: int | None = None, maxdays: int | None = None,
    inactdays: int | None = None, warndays: int | None = None, expire: Any = None,
    win_homedrive: str | None = None, win_profile: str | None = None, win_logonscript: str | None = None,
    win_description: str | None = None, nologinit: bool = False, allow_uid_change: bool = False,
    allow_gid_change: bool = False, password_lock: bool | None = None, local: bool = False,
) -> StateReturn:  # fmt: skip
    """Ensure that a user exists with these attributes. Attributes not given stay unchanged.

    uid, gid, home, shell, fullname, roomnumber, workphone, homephone, other
        Fields of /etc/passwd. uid and gid of an existing user are changed only with `allow_uid_change` and
        `allow_gid_change`.
    usergroup
        Create a group of the same name for a new user (True), or not (False).
    groups, optional_groups, remove_groups
        Supplementary groups. Those in `groups` must exist, those in `optional_groups` may be missing; the
        user is removed from all other groups (default: True).
    createhome, persist_home
        Create the home directory if it is missing (default: True); move the files if it changes.
    password, hash_password, empty_password
        Hash of the password or, with `hash_password`, the password; permit login without a password.
    enforce_password, password_lock
        Change a password that differs (True), or set it for new users only (False); lock (True) or unlock
        (False) the password.
    date, mindays, maxdays, inactdays, warndays, expire
        Password-aging fields, in days; see `shadow.info`.
    unique, system, nologinit, local
        For a new user, see `user.add`; `local` uses local users only.
    loginclass, win_homedrive, win_profile, win_logonscript, win_description
        Accepted for compatibility; they apply to other systems than Linux.

    Example::

        salt-g state.single user.present frank shell=/bin/bash groups='[adm]'
    """
    wanted = _wanted(locals())
    wanted.settle()
    if wanted.wrong():
        return failed(name, wanted.wrong())
    if wanted.missing_groups:
        if not opts.get("test"):
            missing = ",".join(wanted.missing_groups)
            return failed(name, f"The following group(s) are not present: {missing}")
        wanted.groups = [group for group in wanted.groups or () if group not in wanted.missing_groups]
    try:
        differs = difference(wanted)
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    if differs is None:
        return _added(wanted)
    if not differs:
        return as_wanted(name, f"User {name} is present and up to date")
    return _plan(wanted, differs) if opts.get("test") else _updated(wanted, differs)


def _wanted(arguments: dict[str, Any]) -> UserParams:
    fields = UserParams.__dataclass_fields__
    return UserParams(**{key: value for key, value in arguments.items() if key in fields})


def _plan(wanted: UserParams, differs: dict[str, Any]) -> StateReturn:
    lines = [f"{key}: {REDACTED if key == 'passwd' else value}" for key, value in differs.items()]
    if wanted.missing_groups:
        lines.append(f"groups (pending creation): {','.join(wanted.missing_groups)}")
    text = "".join(f"{line}\n" for line in lines)
    return would_change(wanted.name, f"The following user attributes are set to be changed:\n{text}")


def _updated(wanted: UserParams, differs: dict[str, Any]) -> StateReturn:
    changes = apply(wanted, differs)
    left = difference(wanted, allow_numbers=True)
    if left:
        shown = {key: REDACTED if key == "passwd" else value for key, value in left.items()}
        return failed(wanted.name, f"These values could not be changed: {shown}", changes)
    return changed(wanted.name, f"Updated user {wanted.name}", changes)


def _added(wanted: UserParams) -> StateReturn:
    name = wanted.name
    if opts.get("test"):
        pending = f" (pending groups: {','.join(wanted.missing_groups)})" if wanted.missing_groups else ""
        return would_change(name, f"User {name} set to be added{pending}")
    changes, problem = create(wanted)
    if not changes:
        return failed(name, problem)
    return outcome(name, not problem, problem or f"New user {name} created", changes)
