"""File access for undo, on this machine or on a resource (by functions of the resource's type).

A resource type supports undo by functions of its connection module: `undo_entries`, `undo_remove`,
`undo_create`, `undo_detach` and `undo_give` for files elsewhere (`resources/ssh/_undo.py`), or `undo_root`
for files in a directory of this machine.
Errors: OSError for a single path.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from salt_g import safe_files
from salt_g.errors import SaltGError
from salt_g.process.disk import replacing
from salt_g.shapes.undo import PathEntry
from salt_g.state.undo.entries import DIRECTORY, FILE, LINK, MISSING, entry_of


class MachineFiles(Protocol):
    """Files of a machine, named by paths without links in their directories."""

    def entries(self, paths: Iterable[str]) -> dict[str, PathEntry]:
        """Describe paths."""

    def remove(self, path: str, now: PathEntry) -> None:
        """Remove an entry; a directory must be empty."""

    def make_directory(self, path: str) -> None:
        """Create a directory that only its owner can enter."""

    def make_link(self, path: str, target: str, *, replaces: bool) -> None:
        """Create a symbolic link, or replace one."""

    def write(self, path: str, content: bytes, *, is_in_place: bool) -> None:
        """Write a new private file or, with `is_in_place`, write into the existing file."""

    def detach(self, path: str) -> None:
        """Replace a hard link by a copy, because its other names would get the owner and mode too."""

    def give(self, path: str, entry: PathEntry, now: PathEntry) -> None:
        """Restore owner, mode and modification time."""


class OwnFiles:
    """Files of this machine."""

    def entries(self, paths: Iterable[str]) -> dict[str, PathEntry]:
        return {path: entry_of(path) for path in paths}

    def remove(self, path: str, now: PathEntry) -> None:
        if now["kind"] == DIRECTORY:
            safe_files.remove_directory(path)
        else:
            safe_files.remove_file(path)

    def make_directory(self, path: str) -> None:
        safe_files.make_directory(path, 0o700)

    def make_link(self, path: str, target: str, *, replaces: bool) -> None:
        if replaces:
            safe_files.remove_file(path)
        safe_files.symlink(target, path)

    def write(self, path: str, content: bytes, *, is_in_place: bool) -> None:
        if is_in_place:
            with open(path, "wb", opener=safe_files.opener) as file:
                file.write(content)
            return
        with replacing(path, new_mode=0o600) as file:
            file.write(content)

    def detach(self, path: str) -> None:
        with open(path, "rb", opener=safe_files.opener) as there:
            if os.fstat(there.fileno()).st_nlink > 1:
                with replacing(path, new_mode=0o600) as file:
                    shutil.copyfileobj(there, file)

    def give(self, path: str, entry: PathEntry, now: PathEntry) -> None:
        if (now["uid"], now["gid"]) != (entry["uid"], entry["gid"]):
            safe_files.change_owner(path, entry["uid"], entry["gid"], follow=False)
            now = entry_of(path)
        # A change of owner clears setuid and setgid, so the mode is set afterwards.
        if entry["kind"] != LINK and now["mode"] != entry["mode"]:
            safe_files.change_mode(path, entry["mode"])
        if entry["kind"] == FILE:
            seconds = entry["mtime"] / 1e9
            safe_files.change_times(path, (seconds, seconds))


class ResourceFiles:
    """Files of the call's resource, accessed by functions of its type's connection module."""

    def __init__(self, type_name: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        self._type = type_name
        self._functions = functions

    def entries(self, paths: Iterable[str]) -> dict[str, PathEntry]:
        """Describe paths; a path below a directory that has become a link counts as missing."""
        wanted = list(paths)
        found = self.found(wanted, limit=-1)
        return {path: found.get(path, {"kind": MISSING}) for path in wanted}

    def found(
        self, paths: Iterable[str], *, limit: int, tree: bool = False, follow: bool = False
    ) -> dict[str, PathEntry]:
        """Describe paths and the missing directories above them; links above a returned path are resolved.

        With `tree` also describe everything below, with `follow` also the target of a link. Contents of up
        to `limit` bytes in total are included as `content` (-1: none); other files have only a digest.
        """
        found: dict[str, PathEntry] = self._call(
            "entries", list(paths), tree=tree, follow=follow, limit=limit
        )
        return found

    def remove(self, path: str, now: PathEntry) -> None:
        self._call("remove", path)

    def make_directory(self, path: str) -> None:
        self._call("create", path, {"kind": DIRECTORY}, b"", is_in_place=False)

    def make_link(self, path: str, target: str, *, replaces: bool) -> None:
        self._call("create", path, {"kind": LINK, "target": target}, b"", is_in_place=False)

    def write(self, path: str, content: bytes, *, is_in_place: bool) -> None:
        self._call("create", path, {"kind": FILE}, content, is_in_place=is_in_place)

    def detach(self, path: str) -> None:
        self._call("detach", path)

    def give(self, path: str, entry: PathEntry, now: PathEntry) -> None:
        self._call("give", path, entry, now)

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._functions[f"{self._type}.undo_{name}"](*args, **kwargs)
        except SaltGError as exc:
            text = str(exc)
            raise OSError(errno.ENOTEMPTY if "not empty" in text else 0, text) from exc
