"""Edits of a host's text files with the minion's own functions.

The minion's module `file` finds and replaces lines and blocks. It works on a local copy; the result is
written to the host, with the file's owner and mode.
Errors: CommandExecutionError names the path on the host.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

from salt_g.api import minion_functions
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.process.disk import write_whole
from salt_g.resources._minion_functions import on_host
from salt_g.resources.ssh import _files, _sources
from salt_g.resources.ssh._files import PathState
from salt_g.shapes import StateReturn


def edited(path: str, function: str, *args: Any, keep: bool = True, copy_to: str = "", **kwargs: Any) -> Any:
    """Return the result of a minion's `file` function on a copy of a host's file; `keep` writes changes back.

    `copy_to` is the path on the host for a backup, '' for none.
    """
    seen = existing(path)
    with tempfile.TemporaryDirectory(prefix="salt-g-ssh-") as folder:
        copy = os.path.join(folder, "file")
        write_whole(copy, seen.content or b"")
        try:
            found = minion_functions[f"file.{function}"](copy, *args, **kwargs)
        except SaltGError as exc:
            raise CommandExecutionError(str(exc).replace(copy, path)) from exc
        content = _sources.read(copy)
    if keep and content != seen.content:
        put(path, seen, content, copy_to=copy_to)
    return _named(found, copy, path)


def stated(
    path: str, seen: PathState, function: str, *args: Any, **kwargs: Any
) -> tuple[StateReturn, bytes | None]:
    """Run a minion's file state on a copy; return its result and the content of the copy.

    There is no copy of a missing file; its content is None unless the state creates it.
    """
    with tempfile.TemporaryDirectory(prefix="salt-g-ssh-") as folder:
        copy = os.path.join(folder, "file")
        if seen.exists:
            write_whole(copy, seen.content or b"")
        ret: StateReturn = on_host("states", f"file.{function}", copy, *args, **kwargs)
        content = _sources.read(copy) if os.path.exists(copy) else None
    found: StateReturn = _named({**ret, "name": path}, copy, path)
    return found, content


def existing(path: str) -> PathState:
    """Return a file of the host with its content; raises CommandExecutionError if missing or too large."""
    seen = _files.path_state(path, wanted=_files.CONTENT)
    if not seen.is_file:
        raise CommandExecutionError(f"{path}: file not found")
    if seen.content is None:
        raise CommandExecutionError(f"{path} is too large to be edited ({seen.size} bytes)")
    return seen


def put(path: str, seen: PathState, content: bytes, *, copy_to: str = "") -> None:
    """Replace the content of a file; keep its owner and mode."""
    owner = f"{seen.uid}:{seen.gid}" if seen.exists else ""
    mode = seen.mode if seen.exists else "0644"
    _files.write(path, content, mode=mode, owner=owner, keep=copy_to)


def _named(found: Any, copy: str, path: str) -> Any:
    """Return a result with the path of the copy replaced by that of the file."""
    if isinstance(found, str):
        return found.replace(copy, path)
    if isinstance(found, dict):
        return {_named(name, copy, path): _named(value, copy, path) for name, value in found.items()}
    return found
