"""`file.directory` for hosts: owner and mode of a directory and, with `recurse`, of its contents.

Shapes: a plan is {path: {"user" | "group" | "mode" | "directory": value}}; test mode reports it, the real run
carries it out.
Source: stock docs of `file.directory`.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.resources.ssh import _files, _trees
from salt_g.resources.ssh._files import PathState
from salt_g.resources.ssh.states.file._outcome import (
    Name,
    Refused,
    absolute,
    owner_problem,
    result,
    wrong_owner,
)
from salt_g.shapes import Facts, StateReturn

Plan = dict[str, Facts]


def directory(
    name: str, user: Name = None, group: Name = None, recurse: list[str] | None = None,
    max_depth: int | None = None, dir_mode: Any = None, file_mode: Any = None, makedirs: bool = False,
    force: bool = False, follow_symlinks: bool = False, clean: bool = False, exclude_pat: Any = None,
    **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a directory exists on the host with an owner and a mode (`dir_mode` or `mode`).

    `recurse` is a list of `user`, `group`, `mode` (applied to everything below, down to `max_depth`),
    `ignore_files`, `ignore_dirs`. `clean` is refused, because it needs to know all managed files below the
    directory.

    Example::

        /srv/www:
          file.directory:
            - user: www-data
            - mode: '0755'
            - makedirs: True
    """
    try:
        path = absolute(name, "directory")
        path = path.rstrip("/") or "/"
        if clean:
            raise Refused("clean is not supported for hosts of resource type ssh")
        mode = mode_text(dir_mode or kwargs.get("mode") or None)
        seen = _files.path_state(path, user=user, group=group)
        problem = owner_problem(seen, user, group)
        if problem and not opts["test"]:
            raise Refused(problem)
        if seen.exists and not seen.is_directory and not force:
            raise Refused(f"Specified location {path} exists and is a file")
        modes = (mode, mode_text(file_mode or None))
        plan = _plan(path, seen, user, group, modes, recurse or [], max_depth)
        return _brought(name, path, seen, plan, makedirs, user, group, mode)
    except (Refused, CommandExecutionError) as exc:
        return result(name, False, str(exc))


def _plan(
    path: str, seen: PathState, user: Name, group: Name, modes: tuple[str | None, str | None],
    recurse: list[str], max_depth: int | None,
) -> Plan:  # fmt: skip
    if not seen.is_directory:
        return {path: {"directory": "new"}}
    plan: Plan = {}
    if recurse:
        wanted = (user if "user" in recurse else None, group if "group" in recurse else None)
        for below in _trees.walk(path, max_depth, *wanted):
            kind = "ignore_dirs" if below.is_directory else "ignore_files"
            if kind in recurse or below.target is not None:
                continue
            own = (modes[0] if below.is_directory else modes[1] or modes[0]) if "mode" in recurse else None
            if wrong := wrong_owner(below, *wanted, own):
                plan[below.path] = wrong
    if wrong := wrong_owner(seen, user, group, modes[0]):
        plan[path] = wrong
    return plan


def _brought(
    name: str,
    path: str,
    seen: PathState,
    plan: Plan,
    makedirs: bool,
    user: Name,
    group: Name,
    mode: str | None,
) -> StateReturn:
    if not plan:
        return result(name, True, f"The directory {path} is in the correct state")
    if opts["test"]:
        lines = "".join(
            f"{where}: {part} - {value}\n" for where, what in plan.items() for part, value in what.items()
        )
        return result(name, None, f"The following files will be changed:\n{lines}", dict(plan))
    owner = _files.owner_text(user, group)
    if not seen.is_directory:
        if seen.lexists:
            call("file.remove", path)
        elif not seen.has_parent and not makedirs:
            raise Refused(f"No directory to create {path} in")
        _files.make_directory(path, mode=mode or "", owner=owner)
    else:
        _trees.set_all_permissions(plan)
    return result(name, True, f"Directory {path} updated", dict(plan))
