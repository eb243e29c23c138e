"""Owner, group, mode, attributes and SELinux context of a path: comparing and setting.

A new file, a changed one, a directory and each entry of a recursion use the same comparison, so test mode and
the real run agree.

Shapes: a state return goes in (or None) and comes out with `changes`, `result`, `comment`.
"""

from __future__ import annotations

import os
import stat
from typing import Any, NamedTuple

import salt_g.modules.file.owners as owners
from salt_g import safe_files
from salt_g.api import opts
from salt_g.modules.file.attributes import check_attributes
from salt_g.modules.file.selinux import SelinuxParams, check_context
from salt_g.modules.file.stats import permissions_text, stat_result
from salt_g.process.disk import mode_text


class Ownership(NamedTuple):
    """Desired ownership and permissions of a path; None keeps the current value."""

    user: str | int | None
    group: str | int | None
    mode: str | None

    def differing(self, found: os.stat_result) -> dict[str, Any]:
        """Return the differing parts, in the order of results."""
        wrong: dict[str, Any] = {}
        # '' and None keep the owner, user 0 does not: never test an id for truth.
        if self.user not in (None, "") and not _is_user(self.user, found.st_uid):
            wrong["user"] = self.user
        if self.group not in (None, "") and not _is_group(self.group, found.st_gid):
            wrong["group"] = self.group
        if self.mode is not None and self.mode != permissions_text(found):
            wrong["mode"] = self.mode
        return wrong


def check_perms(
    name: str,
    ret: dict[str, Any] | None,
    user: str | int | None,
    group: str | int | None,
    mode: str | int | None,
    attrs: str | None = None,
    follow_symlinks: bool = False,
    seuser: str | None = None,
    serole: str | None = None,
    setype: str | None = None,
    serange: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set owner, group, mode, attributes and context of a path.

    Returns the state return with the changes (in test mode: the pending ones), and the previous values as
    {"luser", "lgroup", "lmode"}. Raises CommandExecutionError if the path is missing.

    Example::

        salt-g file.check_perms /etc/sudoers '{}' root root 400
    """
    name = os.path.expanduser(name)
    found = stat_result(name, follow_symlinks)
    wanted = Ownership(user, group, mode_text(mode))
    desired = SelinuxParams(seuser, serole, setype, serange)
    ret = ret or {"name": name, "changes": {}, "comment": "", "result": True}
    return set_ownership(name, ret, wanted, attrs, desired, follow_symlinks=follow_symlinks), _before(
        found, user, group
    )


def set_ownership(
    name: str,
    ret: dict[str, Any],
    wanted: Ownership,
    attrs: str | None = None,
    context: SelinuxParams | None = None,
    *,
    follow_symlinks: bool = False,
) -> dict[str, Any]:
    """Set owner, group, mode, attributes and context as `check_perms` does; return the state return."""
    follow = follow_symlinks or not os.path.islink(name)
    if not follow:
        wanted = wanted._replace(mode=None)  # Linux links have no modes
    found = stat_result(name, follow_symlinks)
    wrong = wanted.differing(found)
    problems = [] if opts["test"] or not wrong else _set(name, wanted, found, wrong, follow)
    _note(ret, wrong, problems)
    if attrs is not None and follow and not stat.S_ISDIR(found.st_mode):
        check_attributes(name, attrs, ret, problems)
    if context:
        check_context(name, context, ret, problems)
    if isinstance(ret["comment"], str):
        ret["comment"] = "; ".join([text for text in (ret["comment"], *problems) if text])
    if opts["test"] and ret["changes"]:
        ret["result"] = None
    return ret


def _note(ret: dict[str, Any], wrong: dict[str, Any], problems: list[str]) -> None:
    failed = {problem.split()[3] for problem in problems if problem.startswith("Failed to change ")}
    ret["changes"].update({part: value for part, value in wrong.items() if part not in failed})
    if problems:
        ret["result"] = False


def _set(
    name: str, wanted: Ownership, found: os.stat_result, wrong: dict[str, Any], follow: bool
) -> list[str]:
    """Set the differing parts; return a line for each failure."""
    problems: list[str] = []
    try:
        if "user" in wrong or "group" in wrong:
            change = owners.chown if follow else owners.lchown
            refusal = change(
                name, _or_current(wanted.user, found.st_uid), _or_current(wanted.group, found.st_gid)
            )
            problems += [refusal] if refusal else []
            if follow:
                # The kernel drops setuid and setgid when a file changes hands.
                safe_files.change_mode(name, stat.S_IMODE(found.st_mode))
        if "mode" in wrong:
            safe_files.change_mode(name, int(wanted.mode or "0", 8))
    except safe_files.UntrustedPath as exc:
        problems.append(str(exc))
    except (OSError, ValueError):
        pass  # failures are reported below, with the part's name
    still = wanted.differing(stat_result(name, follow))
    return problems + [f"Failed to change {part} to {wrong[part]}" for part in wrong if part in still]


def _before(found: os.stat_result, user: Any, group: Any) -> dict[str, Any]:
    """Return the previous owner, group and mode; owner or group as a number if desired as one."""
    return {
        "luser": found.st_uid if isinstance(user, int) else owners.uid_to_user(found.st_uid),
        "lgroup": found.st_gid if isinstance(group, int) else owners.gid_to_group(found.st_gid),
        "lmode": permissions_text(found),
    }


def _or_current(wanted: str | int | None, current: int) -> str | int:
    return current if wanted in (None, "") else wanted


def _is_user(user: str | int | None, uid: int) -> bool:
    return owners.user_to_uid(user) == uid


def _is_group(group: str | int | None, gid: int) -> bool:
    return owners.group_to_gid(group) == gid
