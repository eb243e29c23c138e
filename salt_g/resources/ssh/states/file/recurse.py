"""Directory trees of the master on the host, and copies of the host's own files.

Source: stock docs of `file.recurse` and `file.copy`.
"""

from __future__ import annotations

import posixpath
from typing import Any

from salt_g.api import call, current, opts, services
from salt_g.data.path_patterns import Patterns, is_included
from salt_g.errors import SaltGError
from salt_g.resources.ssh import _files
from salt_g.resources.ssh.states.file._outcome import Name, Refused, absolute, result
from salt_g.resources.ssh.states.file.directory import directory
from salt_g.resources.ssh.states.file.managed import managed
from salt_g.shapes import Arguments, StateReturn


def recurse(
    name: str, source: str, user: Name = None, group: Name = None, dir_mode: Any = None,
    file_mode: Any = None, template: str | None = None, context: Any = None, defaults: Any = None,
    include_empty: bool = False, include_pat: Patterns = None, exclude_pat: Patterns = None,
    clean: bool = False, backup: str = "", **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a directory of the host contains the files of a directory of the master.

    Patterns are globs over the paths below `source`, or regular expressions after the prefix `E@`; a list
    matches if one of its patterns does. `clean` is refused, as this state removes nothing on hosts.

    Example::

        /srv/site:
          file.recurse:
            - source: salt://site
    """
    try:
        absolute(name, "recurse")
        if clean:
            raise Refused("clean is not supported for hosts of resource type ssh")
        paths = [path for path in _below(source) if is_included(path, include_pat, exclude_pat)]
        if not paths:
            raise Refused(f"Recurse failed: none of the specified sources were found: {source}")
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    options: Arguments = {"user": user, "group": group}
    done = [directory(name, dir_mode=dir_mode, makedirs=True, **options)]
    folders = sorted({posixpath.dirname(path) for path in paths} - {""})
    done += [directory(f"{name}/{folder}", dir_mode=dir_mode, makedirs=True, **options) for folder in folders]
    done += [
        managed(
            f"{name}/{path}", source=f"{source.rstrip('/')}/{path}", mode=file_mode, template=template,
            context=context, defaults=defaults, makedirs=True, backup=backup, **options,
        )
        for path in paths
    ]  # fmt: skip
    return _summed(name, done)


def copy(
    name: str, source: str, force: bool = False, makedirs: bool = False, preserve: bool = False,
    user: Name = None, group: Name = None, mode: Any = None, **kwargs: Any,
) -> StateReturn:  # fmt: skip
    """Ensure that a copy of a file of the host exists; an existing file is kept unless `force` is set.

    Example::

        /etc/example.conf:
          file.copy:
            - source: /tmp/example.conf
    """
    try:
        absolute(name, "copy")
        if not _files.path_state(source).exists:
            raise Refused(f"Source file {source} is not present")
        seen = _files.path_state(name)
        if seen.exists and not force:
            return result(name, True, f"The target file {name} exists and will not be overwritten")
        if opts["test"]:
            return result(name, None, f'File "{source}" is set to be copied to "{name}"')
        if makedirs and not seen.has_parent:
            call("file.makedirs", name)
        call("file.copy", source, name)
        if not preserve or user or group or mode:
            managed(name, user=user, group=group, mode=mode, replace=False)
    except (Refused, SaltGError) as exc:
        return result(name, False, str(exc))
    return result(name, True, f'Copied "{source}" to "{name}"', {name: source})


def _below(source: str) -> list[str]:
    """Return the paths of the files below a directory of the master, relative to it."""
    if not source.startswith("salt://"):
        raise Refused(f"Invalid source '{source}' (must be a salt:// URI)")
    prefix = source.removeprefix("salt://").strip("/")
    found = services().files.list_files(current().saltenv or "base", prefix)
    return [path[len(prefix) + 1 :] for path in found if path.startswith(f"{prefix}/")]


def _summed(name: str, done: list[StateReturn]) -> StateReturn:
    changes = {one["name"]: one["changes"] for one in done if one["changes"]}
    failures = [f"{one['name']}: {one['comment']}" for one in done if one["result"] is False]
    if failures:
        return result(name, False, "\n".join(failures), changes)
    if not changes:
        return result(name, True, f"The directory {name} is in the correct state")
    if opts["test"]:
        return result(name, None, f"The directory {name} would be updated", changes)
    return result(name, True, f"Recursively updated {name}", changes)
