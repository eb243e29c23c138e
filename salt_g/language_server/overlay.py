"""Overlay of unsaved texts over the file roots: private directories that are searched first.

Lint reads files, so the texts that an editor has not saved are written to files of the same names.
Shapes: {setting: {saltenv: [directory, ...]}} for the settings `file_roots` and `pillar_roots`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.process.disk import make_private_directory

SETTINGS = ("file_roots", "pillar_roots")


class TreeFile(NamedTuple):
    """Location of a file: setting and environment of its root, path in the root, path of its unsaved text."""

    setting: str
    saltenv: str
    relative: str
    unsaved: str


class Overlay:
    """Unsaved texts of files in the roots, stored below the private directory `directory`."""

    def __init__(self, roots: Mapping[str, Mapping[str, Sequence[str]]], directory: str) -> None:
        self._roots = roots
        self._directory = directory
        #: {saved path: path of its unsaved text}
        self._unsaved: dict[str, str] = {}

    def settings(self) -> dict[str, Any]:
        """Return the settings of the roots, with the directories of unsaved texts before the roots."""
        return {
            setting: {
                saltenv: [self._front(setting, saltenv), *roots]
                for saltenv, roots in self._of(setting).items()
            }
            for setting in SETTINGS
        }

    def place(self, path: str) -> TreeFile | None:
        """Return the place of a file, or None if it is in no root or hidden by an earlier root."""
        for setting in SETTINGS:
            for saltenv, roots in self._of(setting).items():
                for number, root in enumerate(roots):
                    relative = _below(root, path)
                    if relative is None:
                        continue
                    if any(os.path.isfile(os.path.join(before, relative)) for before in roots[:number]):
                        continue
                    front = self._front(setting, saltenv)
                    return TreeFile(setting, saltenv, relative, os.path.join(front, relative))
        return None

    def write(self, path: str, text: str) -> TreeFile | None:
        """Store the unsaved text of a file; return the file's place, or None if it is in no root."""
        place = self.place(path)
        if place is not None:
            make_private_directory(os.path.dirname(place.unsaved))
            with open(place.unsaved, "wb") as file:
                file.write(_encoded(text))
            self._unsaved[path] = place.unsaved
        return place

    def remove(self, path: str) -> TreeFile | None:
        """Remove the unsaved text of a file; return the file's place, or None if it is in no root."""
        unsaved = self._unsaved.pop(path, "")
        if unsaved:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(unsaved)
            self._remove_empty(os.path.dirname(unsaved))
        return self.place(path)

    def _remove_empty(self, folder: str) -> None:
        """Remove the folders left empty by the removal of an unsaved text, because lint would list them."""
        with contextlib.suppress(OSError):
            while os.path.dirname(os.path.dirname(folder)) != self._directory:
                os.rmdir(folder)
                folder = os.path.dirname(folder)

    def is_unsaved(self, path: str) -> bool:
        """Return whether the overlay has an unsaved text of a file."""
        return path in self._unsaved

    def saved(self, path: str) -> str:
        """Return the path of the file whose unsaved text is at `path`; return other paths unchanged."""
        return next((saved for saved, unsaved in self._unsaved.items() if unsaved == path), path)

    def _of(self, setting: str) -> Mapping[str, Sequence[str]]:
        # `__env__` is a placeholder for any environment, so its roots do not belong to one tree.
        return {env: roots for env, roots in (self._roots.get(setting) or {}).items() if env != "__env__"}

    def _front(self, setting: str, saltenv: str) -> str:
        number = sorted(self._of(setting)).index(saltenv)
        return os.path.join(self._directory, setting, str(number))


def _encoded(text: str) -> bytes:
    """Encode a text as UTF-8; bytes of other encodings are restored, other lone surrogates become `?`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _below(root: str, path: str) -> str | None:
    """Return the path of a file relative to a root, with links resolved if needed; None if it is outside."""
    for top, file in _spellings(root, path):
        relative = os.path.relpath(file, top)
        if not relative.startswith(os.pardir) and relative != os.curdir:
            return relative
    return None


def _spellings(root: str, path: str) -> Iterator[tuple[str, str]]:
    yield os.path.abspath(root), path
    yield os.path.realpath(root), os.path.realpath(path)
