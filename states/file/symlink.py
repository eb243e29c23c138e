"""Symbolic links.

Source: stock docs of `file.symlink`; conformance case `file/symlink`.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome
from salt_g.states.file.checks import default_owner, joined_problems, named_user, unknown_owner

Name = str | int | None


def symlink(
    name: str, target: str, force: bool = False, backupname: str | None = None, makedirs: bool = False,
    user: Name = None, group: Name = None, mode: Any = None, win_owner: Any = None, win_perms: Any = None,
    win_deny_perms: Any = None, win_inheritance: Any = None, atomic: bool = False,
    disallow_copy_and_unlink: bool = False, inherit_user_and_group: bool = False,
    follow_symlinks: bool = True, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a path is a symbolic link to `target`, owned by `user` and `group`.

    A link with another target is replaced. Any other existing path is an error, unless `force` removes it,
    `backupname` renames it, or `atomic` replaces it atomically. `makedirs` creates missing directories with
    `mode`. `inherit_user_and_group` keeps the owner of an existing link.

    Example::

        /etc/localtime:
          file.symlink:
            - target: /usr/share/zoneinfo/UTC
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.symlink")
    user, group = _owner(name, named_user(kwargs, user), group, inherit_user_and_group)
    absolute = "" if os.path.isabs(name) else f"Specified file {name} is not an absolute path"
    if problem := joined_problems(*unknown_owner(user, group), absolute):
        return failed(name, problem)
    parent = os.path.dirname(name)
    if opts["test"]:
        return _planned(name, target, force, user, group, parent, makedirs, follow_symlinks)
    if not os.path.isdir(parent):
        if not makedirs:
            return failed(name, f"Directory {parent} for symlink is not present")
        call("file.makedirs", path=name, user=user, group=group, mode=mode_text(mode))
    if os.path.islink(name):
        if os.path.normpath(os.readlink(name)) == os.path.normpath(target):
            return _owned(name, user, group)
        if not atomic:
            call("file.remove", name)
    elif os.path.lexists(name):
        options = (force, backupname, atomic, disallow_copy_and_unlink)
        if problem := _clear_path(name, target, *options):
            return failed(name, problem)
    return _made(name, target, force, atomic, follow_symlinks, user, group)


def _owner(name: str, user: Name, group: Name, inherit: bool) -> tuple[Name, Name]:
    if inherit and (user is None or group is None) and os.path.islink(name):
        current = _current_owner(name)
        user = current[0] if user is None else user
        group = current[1] if group is None else group
    return default_owner(user, group)


def _planned(
    name: str, target: str, force: bool, user: Name, group: Name, parent: str, makedirs: bool, follow: bool
) -> StateReturn:
    result, comment, changes = _compared(name, target, force, user, group)
    if not os.path.isdir(parent):
        comment += (
            f"\n{parent} will be created" if makedirs else f"\nDirectory {parent} for symlink is not present"
        )
    return outcome(name, result, comment, changes)


def _compared(
    name: str, target: str, force: bool, user: Name, group: Name
) -> tuple[bool | None, str, dict[str, Any]]:
    """Return result, comment and changes of test mode."""
    if not os.path.lexists(name):
        return None, f"Symlink {name} to {target} is set for creation", {"new": name}
    if not os.path.islink(name):
        if force:
            return (
                None,
                f"The file or directory {name} is set for removal to make way for a new symlink "
                f"targeting {target}",
                {},
            )
        return (
            False,
            f"File or directory exists where the symlink {name} should be. Did you mean to use force?",
            {},
        )
    if os.readlink(name) != target:
        return None, f"Link {name} target is set to be changed to {target}", {"change": name}
    if _is_owned(name, user, group):
        return True, f"The symlink {name} is present", {}
    current = "{}:{}".format(*_current_owner(name))
    said = f", but the ownership of the symlink would be changed from {current} to {user}:{group}"
    return None, f"The symlink {name} is present{said}", {"ownership": current}


def _owned(name: str, user: Name, group: Name) -> StateReturn:
    """Set the owner of a link whose target is already correct."""
    if _is_owned(name, user, group):
        return as_wanted(name, f"Symlink {name} is present and owned by {user}:{group}")
    if _set_owner(name, user, group):
        said = f"Set ownership of symlink {name} to {user}:{group}"
        return changed(name, said, {"ownership": f"{user}:{group}"})
    return failed(name, f"Failed to set ownership of symlink {name} to {user}:{group}")


def _clear_path(
    name: str, target: str, force: bool, backupname: str | None, atomic: bool, rename_only: bool
) -> str:
    """Move an existing path to the backup name, if any; return why no link can be created, or ''."""
    if backupname is None:
        if force or atomic:
            return ""
        kinds = {os.path.isfile: "File", os.path.isdir: "Directory"}
        kind = next((word for is_kind, word in kinds.items() if is_kind(name)), "File system entry")
        return f"{kind} exists where the symlink {name} should be"
    if not os.path.isabs(backupname):
        if backupname != os.path.basename(backupname):
            return f"Backupname must be an absolute path or a file name: {backupname}"
        backupname = os.path.join(os.path.dirname(os.path.normpath(name)), backupname)
    if os.path.lexists(backupname):
        if not force:
            return (
                f"Symlink & backup dest exists and Force not set. {name} -> {target} - backup: {backupname}"
            )
        call("file.remove", backupname)
    try:
        call("file.move", name, backupname, disallow_copy_and_unlink=rename_only)
    except (CommandExecutionError, OSError) as exc:
        return f"Unable to rename {name} to backup {backupname} -> : {exc}"
    return ""


def _made(
    name: str, target: str, force: bool, atomic: bool, follow: bool, user: Name, group: Name
) -> StateReturn:
    try:
        call("file.symlink", target, name, force=force, atomic=atomic, follow_symlinks=follow)
    except (CommandExecutionError, OSError) as exc:
        return failed(name, f"Unable to create new symlink {name} -> {target}: {exc}")
    said = f"Created new symlink {name} -> {target}"
    if _is_owned(name, user, group) or _set_owner(name, user, group):
        return changed(name, said, {"new": name})
    return failed(name, f"{said}, but was unable to set ownership to {user}:{group}", {"new": name})


def _current_owner(name: str) -> tuple[Name, Name]:
    return (
        call("file.get_user", name, follow_symlinks=False),
        call("file.get_group", name, follow_symlinks=False),
    )


def _is_owned(name: str, user: Name, group: Name) -> bool:
    found = os.lstat(name)
    return bool(
        call("file.user_to_uid", user) == found.st_uid and call("file.group_to_gid", group) == found.st_gid
    )


def _set_owner(name: str, user: Name, group: Name) -> bool:
    try:
        call("file.lchown", name, user, group)
    except OSError:
        return False
    return _is_owned(name, user, group)
