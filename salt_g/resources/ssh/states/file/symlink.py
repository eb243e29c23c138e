"""Symbolic links on the host.

Source: stock docs of `file.symlink`.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _files
from salt_g.resources.ssh._files import PathState
from salt_g.resources.ssh.states.file._outcome import (
    Name,
    Refused,
    absolute,
    owner_problem,
    result,
    wrong_owner,
)
from salt_g.shapes import StateReturn


def symlink(
    name: str, target: str, force: bool = False, backupname: str | None = None, makedirs: bool = False,
    user: Name = None, group: Name = None, mode: Any = None, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a path of the host is a symbolic link to `target`, owned by `user` and `group`.

    Another link is replaced; a file or directory is an error, unless `force` removes it or `backupname`
    renames it.

    Example::

        /etc/localtime:
          file.symlink:
            - target: /usr/share/zoneinfo/UTC
    """
    try:
        absolute(name, "symlink")
        seen = _files.path_state(name, follow=False, user=user, group=group)
        problem = owner_problem(seen, user, group)
        if problem and not opts["test"]:
            raise Refused(problem)
        if seen.target == target:
            return _owned(name, target, seen, user, group)
        if opts["test"]:
            return _planned(name, target, seen, force)
        _clear_path(name, seen, force, backupname, makedirs)
        call("file.symlink", target, name, force=True)
        owner = _files.owner_text(user, group)
        if owner:
            _files.set_permissions(name, owner=owner, follow=False)
    except (Refused, CommandExecutionError) as exc:
        return result(name, False, str(exc))
    return result(name, True, f"Created new symlink {name} -> {target}", {"new": name})


def _owned(name: str, target: str, seen: PathState, user: Name, group: Name) -> StateReturn:
    user, group = user or seen.user, group or seen.group
    wanted = seen._replace(wanted_uid=seen.wanted_uid, wanted_gid=seen.wanted_gid)
    wrong = {part for part in wrong_owner(wanted, user, group, None) if _is_asked(part, seen)}
    if not wrong:
        if opts["test"]:
            return result(name, True, f"The symlink {name} is present")
        return result(name, True, f"Symlink {name} is present and owned by {user}:{group}")
    changes = {"ownership": f"{user}:{group}"}
    if opts["test"]:
        now = f"{seen.user}:{seen.group}"
        said = f"but the ownership of the symlink would be changed from {now} to {user}:{group}"
        return result(
            name, None, f"The symlink {name} is present, {said}", {"ownership": f"{seen.user}:{seen.group}"}
        )
    _files.set_permissions(name, owner=_files.owner_text(user, group), follow=False)
    return result(name, True, f"Set ownership of symlink {name} to {user}:{group}", changes)


def _is_asked(part: str, seen: PathState) -> bool:
    return (seen.wanted_uid if part == "user" else seen.wanted_gid) is not None


def _planned(name: str, target: str, seen: PathState, force: bool) -> StateReturn:
    if not seen.lexists:
        return result(name, None, f"Symlink {name} to {target} is set for creation", {"new": name})
    if seen.target is not None:
        return result(name, None, f"Link {name} target is set to be changed to {target}", {"change": name})
    if force:
        said = f"is set for removal to make way for a new symlink targeting {target}"
        return result(name, None, f"The file or directory {name} {said}")
    said = f"File or directory exists where the symlink {name} should be. Did you mean to use force?"
    return result(name, False, said)


def _clear_path(name: str, seen: PathState, force: bool, backupname: str | None, makedirs: bool) -> None:
    if not seen.has_parent:
        parent = name.rpartition("/")[0]
        if not makedirs:
            raise Refused(f"Directory {parent} for symlink is not present")
        call("file.makedirs", name)
    if not seen.lexists or seen.target is not None:
        return
    if backupname is not None:
        call("file.move", name, backupname)
    elif force:
        call("file.remove", name)
    else:
        kind = "Directory" if seen.is_directory else "File" if seen.is_file else "File system entry"
        raise Refused(f"{kind} exists where the symlink {name} should be")
