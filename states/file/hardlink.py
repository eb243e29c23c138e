"""Hard links.

Source: stock docs of `file.hardlink`; conformance case `file/touch-copy-rename`.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome
from salt_g.states.file.checks import default_owner, joined_problems, named_user, unknown_owner

Name = str | int | None


def hardlink(
    name: str,
    target: str,
    force: bool = False,
    makedirs: bool = False,
    user: Name = None,
    group: Name = None,
    dir_mode: Any = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a path is a hard link to the file `target`.

    An existing file that has other hard links is replaced; any other is an error, unless `force` removes it.
    `makedirs` creates missing directories with `dir_mode`, owned by `user` and `group`.

    Example::

        /etc/app/hosts:
          file.hardlink:
            - target: /etc/hosts
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.hardlink")
    user, group = default_owner(named_user(kwargs, user), group)
    if problem := joined_problems(
        *unknown_owner(user, group),
        "" if os.path.isabs(name) else f"Specified file {name} is not an absolute path",
        "" if os.path.isabs(target) else f"Specified target {target} is not an absolute path",
    ):
        return failed(name, problem)
    if opts["test"]:
        return outcome(name, *_compared(name, target, force))
    if problem := _obstacle(name, target):
        return failed(name, problem)
    parent = os.path.dirname(name)
    if not os.path.isdir(parent):
        if not makedirs:
            return failed(name, f"Directory {parent} for hard link is not present")
        call("file.makedirs", name, user=user, group=group, mode=mode_text(dir_mode))
    return _linked(name, target, force)


def _compared(name: str, target: str, force: bool) -> tuple[bool | None, str, dict[str, Any]]:
    """Return result, comment and changes of test mode."""
    if not os.path.exists(target):
        return False, f"Target {target} for hard link does not exist", {}
    for direction, path in (("from", target), ("to", name)):
        if os.path.isdir(path):
            return False, f"Unable to hard link {direction} directory {path}", {}
    if not os.path.exists(name):
        return None, f"Hard link {name} to {target} is set for creation", {"new": name}
    if call("file.is_hardlink", name):
        if _are_one(name, target):
            return True, f"The hard link {name} is presently targetting {target}", {}
        return None, f"Link {name} target is set to be changed to {target}", {"change": name}
    if force:
        said = f"The file or directory {name} is set for removal to make way for a new hard link targeting"
        return None, f"{said} {target}", {}
    return (
        False,
        f"File or directory exists where the hard link {name} should be. Did you mean to use force?",
        {},
    )


def _are_one(name: str, target: str) -> bool:
    """Return whether two paths are the same file; symbolic links are compared first, then their targets."""
    try:
        return os.path.samestat(os.lstat(name), os.lstat(target)) or os.path.samefile(name, target)
    except OSError:
        return False


def _obstacle(name: str, target: str) -> str:
    for direction, path in (("to", name), ("from", target)):
        if os.path.isdir(path):
            return f"Unable to hard link {direction} directory {path}"
    return "" if os.path.exists(target) else f"Target {target} for hard link does not exist"


def _linked(name: str, target: str, force: bool) -> StateReturn:
    changes: dict[str, Any] = {}
    done, action = f"Created new hard link {name} -> {target}", "create new"
    if os.path.lexists(name):
        if call("file.is_hardlink", name):
            if _are_one(name, target):
                return as_wanted(name, f"Target of hard link {name} is already pointing to {target}")
            done, action = f"Set target of hard link {name} -> {target}", "set target of"
        elif not force:
            return failed(name, f"File exists where the hard link {name} should be")
        else:
            changes["forced"] = "File for hard link was forcibly replaced"
        safe_files.remove_file(name)
    try:
        call("file.link", target, name)
    except CommandExecutionError as exc:
        return failed(name, f"Unable to {action} hard link {name} -> {target}: {exc}", changes)
    return changed(name, done, {**changes, "new": name})
