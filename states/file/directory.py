"""A directory with an owner and a mode, optionally including its contents.

Shapes: a plan is {path: {"user" | "group" | "mode" | "directory" | "removed": value}}; test mode reports it,
the real run carries it out.
Source: stock docs of `file.directory`; conformance case `file/directory`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.data.path_patterns import Patterns
from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change
from salt_g.states.file.checks import named_user, owner_problem, path_problem
from salt_g.states.file.cleaning import kept_paths, remove_strays, strays
from salt_g.states.file.ownership import Ownership, ownership

_RECURSIONS = ("user", "group", "mode", "ignore_files", "ignore_dirs", "silent")

Name = str | int | None
Plan = dict[str, dict[str, Any]]


class _Params(NamedTuple):
    """Arguments of the state, normalized."""

    name: str
    user: Name
    group: Name
    dir_mode: str | None
    file_mode: str | None
    recurse: frozenset[str]
    max_depth: int | None
    clean: bool
    require: Any
    exclude_pat: Patterns
    follow_symlinks: bool
    children_only: bool
    makedirs: bool


def directory(
    name: str, user: Name = None, group: Name = None, recurse: list[str] | None = None,
    max_depth: int | None = None, dir_mode: Any = None, file_mode: Any = None, makedirs: bool = False,
    clean: bool = False, require: Any = None, exclude_pat: Patterns = None, follow_symlinks: bool = False,
    force: bool = False, backupname: str | None = None, allow_symlink: bool = True,
    children_only: bool = False, win_owner: Any = None, win_perms: Any = None, win_deny_perms: Any = None,
    win_inheritance: bool = True, win_perms_reset: bool = False, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a directory exists with an owner and a mode (`dir_mode` or `mode`).

    `recurse` is a list of `user`, `group`, `mode` (applied to everything below, down to `max_depth`),
    `ignore_files`, `ignore_dirs`, `silent`; `file_mode` is for files. `clean` removes everything that no
    required file state manages and `exclude_pat` does not match. An existing file, or a link with
    `allow_symlink: False`, is an error, unless `force` removes or `backupname` renames it. `children_only`
    leaves the directory itself unchanged.

    Example::

        /srv/www:
          file.directory:
            - user: www-data
            - mode: '0755'
            - makedirs: True
    """
    given = os.path.expanduser(name)
    path = given[:-1] if given.endswith("/") and given != "/" else given
    user = named_user(kwargs, user)
    dir_mode = dir_mode or kwargs.get("mode")
    problem = path_problem(path, "directory") or _argument_problem(recurse, max_depth, clean)
    if problem := problem or owner_problem(user, group):
        return failed(given, problem)
    args = _Params(
        path, user, group, mode_text(dir_mode or None), mode_text(file_mode or dir_mode or None),
        frozenset(recurse or ()), max_depth, clean, require, exclude_pat, follow_symlinks, children_only,
        makedirs,
    )  # fmt: skip
    changes: dict[str, Any] = {}
    stop = _clear_the_way(path, force, backupname, allow_symlink, changes)
    return {**(stop or _ensured(args, changes)), "name": given}


def _ensured(args: _Params, changes: dict[str, Any]) -> StateReturn:
    plan = _plan(args)
    changes.update(plan)
    if opts["test"]:
        return _reported(args.name, plan, changes)
    if not changes:
        return as_wanted(args.name, f"The directory {args.name} is in the correct state")
    return _worked_off(args, plan, changes)


def _argument_problem(recurse: Any, max_depth: int | None, clean: bool) -> str:
    if max_depth is not None and clean:
        return "Cannot specify both max_depth and clean"
    if not recurse:
        return ""
    if not isinstance(recurse, list):
        return '"recurse" must be formed as a list of strings'
    if not all(isinstance(kind, str) and kind in _RECURSIONS for kind in recurse):
        return 'Types for "recurse" limited to {}.'.format(", ".join(f'"{kind}"' for kind in _RECURSIONS))
    if {"ignore_files", "ignore_dirs"} <= set(recurse):
        return 'Must not specify "recurse" options "ignore_files" and "ignore_dirs" at the same time.'
    return ""


def _clear_the_way(
    name: str, force: bool, backupname: str | None, allow_symlink: bool, changes: dict[str, Any]
) -> StateReturn | None:
    """Move or remove a file or link at the path; return a result if that ends the state."""
    link = os.path.islink(name)
    if not (os.path.isfile(name) or (link and (force or not allow_symlink))):
        return None
    kind = "File" if os.path.isfile(name) else "Symlink"
    if backupname is not None:
        return _back_up(name, backupname, force, changes)
    if not force:
        return failed(name, f"Specified location {name} exists and is a {kind.lower()}")
    changes["forced"] = f"{kind} {'would be' if opts['test'] else 'was'} forcibly replaced"
    if not opts["test"]:
        safe_files.remove_file(name)
    return None


def _back_up(name: str, backupname: str, force: bool, changes: dict[str, Any]) -> StateReturn | None:
    occupied = os.path.lexists(backupname)
    if occupied and not force:
        return failed(name, f"File exists where the backup target {backupname} should go")
    if opts["test"]:
        if occupied:
            changes["forced"] = f"Existing file at backup path {backupname} would be removed"
        changes["backup"] = f"{name} would be renamed to {backupname}"
        changes[name] = {"directory": "new"}
        return would_change(name, f"{name} would be backed up and replaced with a new directory", changes)
    if occupied:
        call("file.remove", backupname)
    safe_files.rename(name, backupname)
    return None


def _plan(args: _Params) -> Plan:
    """Return the differences, path by path."""
    if not os.path.isdir(args.name):
        return {args.name: {"directory": "new"}}
    plan: Plan = {}
    if args.recurse:
        plan.update(_plan_below(args))
    if not args.children_only:
        own = ownership(args.user, args.group, follow_symlinks=args.follow_symlinks)
        if wrong := own.differing(args.name, args.dir_mode):
            plan[args.name] = wrong
    if args.clean:
        found = strays(args.name, kept_paths(args.name, args.require), args.exclude_pat)
        plan.update({path: {"removed": "Removed due to clean"} for path in found})
    return plan


def _plan_below(args: _Params) -> Iterator[tuple[str, dict[str, Any]]]:
    user, group = _recursed_owner(args)
    wanted = ownership(user, group, follow_symlinks=args.follow_symlinks)
    modes = "mode" in args.recurse
    for folder, folders, names in _walk(args.name, args.max_depth):
        if "ignore_files" not in args.recurse:
            yield from _differing(wanted, folder, names, args.file_mode if modes else None)
        if "ignore_dirs" not in args.recurse:
            yield from _differing(wanted, folder, folders, args.dir_mode if modes else None)


def _differing(
    wanted: Ownership, folder: str, names: list[str], mode: str | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in names:
        path = os.path.join(folder, name)
        if wrong := wanted.differing(path, mode):
            yield path, wrong


def _recursed_owner(args: _Params) -> tuple[Name, Name]:
    """Return the parts of the owner that apply to everything below the directory."""
    return (
        args.user if "user" in args.recurse else None,
        args.group if "group" in args.recurse else None,
    )


def _reported(name: str, plan: Plan, changes: dict[str, Any]) -> StateReturn:
    if not plan:
        return outcome(name, True, f"The directory {name} is in the correct state", changes)
    lines = [f"{path}: {key} - {value}\n" for path, wrong in plan.items() for key, value in wrong.items()]
    return would_change(name, "The following files will be changed:\n" + "".join(lines), changes)


def _worked_off(args: _Params, plan: Plan, changes: dict[str, Any]) -> StateReturn:
    if not os.path.isdir(args.name):
        return _made(args, changes)
    ret: dict[str, Any] = {"name": args.name, "changes": changes, "result": True, "comment": ""}
    if not args.children_only:
        call(
            "file.check_perms",
            args.name,
            ret,
            args.user,
            args.group,
            args.dir_mode,
            None,
            args.follow_symlinks,
        )
    _check_recursion_arguments(args, ret)
    if "silent" in args.recurse:
        ret["changes"] = {"recursion": "Changes silenced"}
    errors = _set_below(args, plan, ret)
    if args.clean:
        removed, problems = remove_strays([path for path, wrong in plan.items() if "removed" in wrong])
        errors += problems.values()
        for path in problems:
            ret["changes"].pop(path, None)
        if removed:
            ret["changes"]["removed"] = removed
            ret["comment"] = f"Files cleaned from directory {args.name}"
    return _described(args, ret, errors)


def _made(args: _Params, changes: dict[str, Any]) -> StateReturn:
    if not os.path.isdir(os.path.dirname(args.name)):
        if not args.makedirs:
            return failed(args.name, f"No directory to create {args.name} in", changes)
        call("file.makedirs", path=args.name, user=args.user, group=args.group, mode=args.dir_mode)
    call("file.mkdir", args.name, user=args.user, group=args.group, mode=args.dir_mode)
    if not os.path.isdir(args.name):
        return failed(args.name, f"Failed to create directory {args.name}", changes)
    return outcome(args.name, True, "", {**changes, args.name: {"directory": "new"}})


def _check_recursion_arguments(args: _Params, ret: dict[str, Any]) -> None:
    if "user" in args.recurse and args.user in (None, ""):
        ret["result"] = False
        ret["comment"] = "user not specified, but configured as a target for recursive ownership management"
    if "group" in args.recurse and args.group in (None, ""):
        ret["result"] = False
        ret["comment"] = "group not specified, but configured as a target for recursive ownership management"


def _set_below(args: _Params, plan: Plan, ret: dict[str, Any]) -> list[str]:
    """Set owner and mode of the planned paths below the directory; return the errors."""
    errors = []
    user, group = _recursed_owner(args)
    for path, wrong in plan.items():
        if path == args.name or "removed" in wrong:
            continue
        try:
            call("file.check_perms", path, ret, user, group, wrong.get("mode"), None, args.follow_symlinks)
        except (CommandExecutionError, safe_files.UntrustedPath) as exc:
            if os.path.lexists(path):
                errors.append(str(exc))
    return errors


def _described(args: _Params, ret: dict[str, Any], errors: list[str]) -> StateReturn:
    if not ret["comment"]:
        ret["comment"] = f"Directory {args.name}{'/*' if args.children_only else ''} updated"
    if errors:
        ret["result"] = False
        ret["comment"] += "\n\nThe following errors were encountered:\n"
        ret["comment"] += "".join(f"\n- {error}" for error in errors)
    done: StateReturn = ret  # type: ignore[assignment]
    return done


def _walk(top: str, max_depth: int | None) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (folder, folders, names) of the folders above `max_depth`; the directory itself is depth 0."""
    base = top.rstrip(os.sep).count(os.sep)
    for folder, folders, names in safe_files.walk(top):
        if max_depth is not None and folder.rstrip(os.sep).count(os.sep) - base >= max_depth:
            folders.clear()
            continue
        yield folder, list(folders), names
