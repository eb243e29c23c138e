"""Creation and change of users for `user.present`; its other modules only read."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, has
from salt_g.states.user.difference import AGES, is_directory
from salt_g.states.user.params import UserParams

#: Placeholder for a password or its hash in results and logs.
REDACTED = "XXX-REDACTED-XXX"
#: Attributes changed with `user.ch<attribute>`, in order.
BY_USER_MODULE = ("uid", "gid", "shell", "fullname", "roomnumber", "workphone", "homephone", "other")
#: {argument: its name in failure comments}
DAYS = {
    "mindays": "minimum days",
    "maxdays": "maximum days",
    "inactdays": "inactive days",
    "warndays": "warn days",
    "expire": "expire days",
}


def apply(wanted: UserParams, differs: dict[str, Any]) -> dict[str, Any]:
    """Change the differing attributes; return the actual changes, passwords hidden."""
    user, shadow = wanted.info(), wanted.shadow()
    _change_password(wanted, differs)
    _change_home(wanted, differs, user)
    for key in (*AGES, "expire"):
        if key in differs:
            call(f"shadow.set_{key}", wanted.name, differs[key])
    for key in BY_USER_MODULE:
        if key in differs:
            call(f"user.ch{key}", wanted.name, differs[key])
    if "groups" in differs:
        call("user.chgroups", wanted.name, differs["groups"], not wanted.remove_groups)
    return {**_changed(user, wanted.info()), **_hidden(_changed(shadow, wanted.shadow()))}


def create(wanted: UserParams) -> tuple[dict[str, Any], str]:
    """Add the user; return (its attributes, or {} if that failed; the last error, or '')."""
    given = (
        *("name", "uid", "gid", "home", "shell", "unique", "system", "createhome", "nologinit"),
        *("local", "usergroup", "fullname", "roomnumber", "workphone", "homephone", "other"),
    )
    if not call("user.add", groups=wanted.all_groups, **{key: getattr(wanted, key) for key in given}):
        return {}, f"Failed to create new user {wanted.name}"
    changes = wanted.info()
    if not wanted.createhome:
        changes["home"] = ""
    problems = _set_new_password(wanted, changes) if has("shadow.info") else []
    return changes, problems[-1] if problems else ""


def _change_password(wanted: UserParams, differs: dict[str, Any]) -> None:
    if "passwd" in differs:
        call("shadow.set_password", wanted.name, wanted.password)
    if "empty_password" in differs:
        call("shadow.del_password", wanted.name)
    if "password_lock" in differs:
        call("shadow.lock_password" if wanted.password_lock else "shadow.unlock_password", wanted.name)
    if "date" in differs:
        call("shadow.set_date", wanted.name, wanted.date)


def _change_home(wanted: UserParams, differs: dict[str, Any], user: dict[str, Any]) -> None:
    missing = differs.get("homeDoesNotExist")
    home = missing or differs.get("home")
    if home is None:
        return
    call("user.chhome", wanted.name, home, persist=wanted.persist_home)
    if missing and not is_directory(missing):
        call("file.mkdir", missing, user["uid"], user["gid"], 0o755)


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in after.items() if before.get(key) != value}


def _hidden(changes: dict[str, Any]) -> dict[str, Any]:
    return {**changes, "passwd": REDACTED} if "passwd" in changes else changes


def _set_new_password(wanted: UserParams, changes: dict[str, Any]) -> list[str]:
    """Set password and password-aging fields of a new user and add them to `changes`; return the errors."""
    name, problems = wanted.name, []

    def check(key: str, value: Any, failing: str) -> None:
        if wanted.shadow()[key] != value:
            problems.append(f"User {name} created but failed to {failing}")

    if wanted.password and not wanted.empty_password:
        call("shadow.set_password", name, wanted.password)
        check("passwd", wanted.password, f"set password to {REDACTED}")
        changes["password"] = REDACTED
    if wanted.empty_password and not wanted.password:
        call("shadow.del_password", name)
        check("passwd", "", "empty password")
        changes["password"] = ""
    if wanted.date is not None:
        call("shadow.set_date", name, wanted.date)
        check("lstchg", wanted.date, f"set last change date to {wanted.date}")
        changes["date"] = wanted.date
    for key, called in DAYS.items():
        value = getattr(wanted, key)
        if value:
            call(f"shadow.set_{key}", name, value)
            check(AGES.get(key, key), value, f"set {called} to {value}")
            changes[key] = value
    return problems
