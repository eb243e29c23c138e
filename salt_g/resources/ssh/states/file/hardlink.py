"""Hard links on the host.

Source: stock docs of `file.hardlink`.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _files
from salt_g.resources.ssh._files import PathState
from salt_g.resources.ssh.states.file._outcome import Refused, absolute, result
from salt_g.shapes import Changes, StateReturn


def hardlink(
    name: str, target: str, force: bool = False, makedirs: bool = False, **kwargs: Any
) -> StateReturn:
    """Ensure that a path of the host is a hard link to the file `target`.

    A different file is replaced if it has other hard links or `force` is set; otherwise it is an error.

    Example::

        /etc/app/hosts:
          file.hardlink:
            - target: /etc/hosts
    """
    try:
        absolute(name, "hardlink")
        if not target.startswith("/"):
            raise Refused(f"Specified target {target} is not an absolute path")
        source, seen = _files.path_state(target), _files.path_state(name, follow=False)
        _check(name, target, source, seen)
        if (seen.device, seen.inode) == (source.device, source.inode):
            said = f"Target of hard link {name} is already pointing to {target}"
            test_said = f"The hard link {name} is presently targetting {target}"
            return result(name, True, test_said if opts["test"] else said)
        if opts["test"]:
            return _planned(name, target, seen, force)
        return _linked(name, target, seen, force, makedirs)
    except (Refused, CommandExecutionError) as exc:
        return result(name, False, str(exc))


def _check(name: str, target: str, source: PathState, seen: PathState) -> None:
    for direction, one in (("to", seen), ("from", source)):
        if one.is_directory:
            raise Refused(f"Unable to hard link {direction} directory {one.path}")
    if not source.exists:
        raise Refused(f"Target {target} for hard link does not exist")


def _planned(name: str, target: str, seen: PathState, force: bool) -> StateReturn:
    if not seen.lexists:
        return result(name, None, f"Hard link {name} to {target} is set for creation", {"new": name})
    if seen.links > 1:
        return result(name, None, f"Link {name} target is set to be changed to {target}", {"change": name})
    if force:
        said = "is set for removal to make way for a new hard link targeting"
        return result(name, None, f"The file or directory {name} {said} {target}")
    said = f"File or directory exists where the hard link {name} should be. Did you mean to use force?"
    return result(name, False, said)


def _linked(name: str, target: str, seen: PathState, force: bool, makedirs: bool) -> StateReturn:
    if not seen.has_parent:
        if not makedirs:
            raise Refused(f"Directory {name.rpartition('/')[0]} for hard link is not present")
        call("file.makedirs", name)
    changes: Changes = {}
    done = f"Created new hard link {name} -> {target}"
    if seen.lexists:
        if seen.links > 1:
            done = f"Set target of hard link {name} -> {target}"
        elif not force:
            raise Refused(f"File exists where the hard link {name} should be")
        else:
            changes["forced"] = "File for hard link was forcibly replaced"
        call("file.remove", name)
    call("file.link", target, name)
    return result(name, True, done, {**changes, "new": name})
