"""Files copied or moved from another path of this machine: copy, rename.

Source: stock docs of `file.copy`, `file.rename`; conformance case `file/touch-copy-rename`.
"""

from __future__ import annotations

import os
import stat
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.file.checks import default_owner, named_user, owner_problem, path_problem

Name = str | int | None


def copy(
    name: str,
    source: str,
    force: bool = False,
    makedirs: bool = False,
    preserve: bool = False,
    user: Name = None,
    group: Name = None,
    mode: Any = None,
    dir_mode: Any = None,
    subdir: bool = False,
    **kwargs: Any,
) -> StateReturn:
    """Copy a local file or directory to a path; an existing path is left as it is, unless `force` is set.

    Owner and mode are `user`, `group` and `mode` (default: the source's mode), or with `preserve` those of
    the source. `subdir` copies into a directory at the path. `makedirs` creates missing directories with
    `dir_mode`.

    Example::

        /etc/app.conf:
          file.copy:
            - source: /usr/share/app/app.conf
    """
    given, source = os.path.expanduser(name), os.path.expanduser(source)
    name = os.path.join(given, os.path.basename(source)) if subdir and os.path.isdir(given) else given
    if problem := path_problem(given, "copy"):
        return failed(given, problem)
    if not os.path.exists(source):
        return failed(given, f'Source file "{source}" is not present')
    if preserve:
        user, group = call("file.get_user", source), call("file.get_group", source)
        mode = call("file.get_mode", source)
    else:
        user, group = default_owner(named_user(kwargs, user), group)
        if problem := owner_problem(user, group):
            return failed(given, problem)
        mode = call("file.get_mode", source) if mode is None else mode
    present = os.path.lexists(name)
    if present and not force:
        return as_wanted(given, f'The target file "{name}" exists and will not be overwritten')
    if problem := _entangled(name, source, os.path.realpath(source)):
        return failed(given, problem)
    if opts["test"]:
        return would_change(given, f'File "{source}" is set to be copied to "{name}"')
    done = f'Copied "{source}" to "{given}"'
    if present and _are_same(name, source):
        done += " - files are identical but force flag is set"
    wanted_mode = mode_text(mode)
    if problem := _cleared(name, makedirs, user, group, dir_mode, wanted_mode):
        return failed(given, problem)
    return {**_copied(name, source, done, user, group, wanted_mode, preserve), "name": given}


def rename(name: str, source: str, force: bool = False, makedirs: bool = False, **kwargs: Any) -> StateReturn:
    """Move a local file or directory to a path; an existing path is left as it is, unless `force` is set.

    A missing source counts as moved already.

    Example::

        /etc/app.conf.old:
          file.rename:
            - source: /etc/app.conf
    """
    name, source = (os.path.expandvars(os.path.expanduser(path)) for path in (name, source))
    if problem := path_problem(name, "rename"):
        return failed(name, problem)
    if not os.path.lexists(source):
        return as_wanted(name, f'Source file "{source}" has already been moved out of place')
    if os.path.lexists(name) and not force:
        return as_wanted(name, f'The target file "{name}" exists and will not be overwritten')
    if problem := _entangled(name, source, _without_links(source)):
        return failed(name, problem)
    if opts["test"]:
        return would_change(name, f'File "{source}" is set to be moved to "{name}"')
    if problem := _cleared(name, makedirs, None, None, None, None):
        return failed(name, problem)
    try:
        if os.path.islink(source):
            safe_files.symlink(os.readlink(source), name)
            safe_files.remove_file(source)
        else:
            safe_files.move(source, name)
    except safe_files.UntrustedPath:
        raise
    except OSError:
        return failed(name, f'Failed to move "{source}" to "{name}"')
    return changed(name, f'Moved "{source}" to "{name}"', {name: source})


def _entangled(name: str, source: str, origin: str) -> str:
    """Return the problem if the path and the source are the same or one contains the other, else ''.

    `origin` is the source with links resolved. Replacing the path would first remove a source inside it, and
    copying a directory into itself would never end.
    """
    target = _without_links(name)
    if os.path.lexists(name) and (_is_inside(origin, target) or _is_inside(_without_links(source), target)):
        return f'Source "{source}" would be removed together with the present "{name}"'
    if os.path.isdir(origin) and not os.path.islink(origin) and _is_inside(target, origin):
        return f'The target "{name}" is inside of the source "{source}"'
    return ""


def _without_links(path: str) -> str:
    """Return a path with the links among its directories resolved; the path itself can be a link."""
    parent, name = os.path.split(path.rstrip("/") or "/")
    return os.path.join(os.path.realpath(parent), name)


def _is_inside(path: str, directory: str) -> bool:
    return os.path.join(path, "").startswith(os.path.join(directory, ""))


def _cleared(name: str, makedirs: bool, user: Name, group: Name, dir_mode: Any, mode: str | None) -> str:
    """Remove the existing path and create its parent directory; return the error, or ''."""
    try:
        if os.path.lexists(name):
            call("file.remove", name, force=True)
    except (CommandExecutionError, OSError):
        return f'Failed to delete "{name}" in preparation for forced move'
    parent = os.path.dirname(name)
    if os.path.isdir(parent):
        return ""
    if not makedirs:
        return f"The target directory {parent} is not present"
    if dir_mode is None and mode is not None:
        # Execute permission on the directory for each class that may access the file.
        dir_mode = "".join(digit if digit == "0" else str(int(digit) | 1) for digit in mode[-3:])
    call("file.makedirs", path=name, user=user, group=group, mode=dir_mode)
    return ""


def _copied(
    name: str, source: str, done: str, user: Name, group: Name, mode: str | None, preserve: bool
) -> StateReturn:
    try:
        if os.path.isdir(source):
            safe_files.copy_tree(source, name, symlinks=True)
            _give_tree(name, user, group)
        else:
            safe_files.copy_file(source, name)
            safe_files.change_mode(name, stat.S_IMODE(os.stat(source).st_mode))
    except safe_files.UntrustedPath:
        raise
    except OSError:
        return failed(name, f'Failed to copy "{source}" to "{name}"')
    ret: dict[str, Any] = {**changed(name, done, {name: source})}
    if preserve:
        call("file.lchown", name, user, group)
    else:
        call("file.check_perms", name, ret, user, group, mode)
    copied: StateReturn = ret  # type: ignore[assignment]
    return copied


def _give_tree(name: str, user: Name, group: Name) -> None:
    for folder, folders, names in safe_files.walk(name):
        for entry in folders + names:
            call("file.lchown", os.path.join(folder, entry), user, group)


def _are_same(name: str, source: str) -> bool:
    if not (os.path.isfile(name) and os.path.isfile(source)):
        return False
    return bool(call("file.get_hash", name) == call("file.get_hash", source))
