"""Repositories of dnf, yum and zypper: `.repo` files with one section for each repository.

Comments and order survive a rewrite.

Shapes: a repository is {option: text} with options in lower case; comments of its
section are listed under `comments`, without the `#`.
Source: dnf.conf(5), yum.conf(5).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g import safe_files
from salt_g.modules import _text_file
from salt_g.modules._ini import Document

#: Repository files are world-readable.
_MODE = 0o644


class RepoFile:
    """Repository file, in memory until `save`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._document = Document(_read(path))

    def repos(self) -> dict[str, dict[str, Any]]:
        """Return {name: repository} in the order of the file."""
        sections = self._document.data.items()
        return {name: _described(section) for name, section in sections if isinstance(section, dict)}

    def change(self, name: str, wanted: Mapping[str, Any], dropped: list[str]) -> None:
        """Set options of a repository, which is created if missing, and remove the `dropped` ones."""
        section = self._document.data.setdefault(name, {})
        for option in dropped:
            section.pop(option, None)
        for option, value in wanted.items():
            section[option] = _written(value)

    def remove(self, name: str) -> None:
        """Remove a repository."""
        self._document.data.pop(name, None)

    def save(self) -> None:
        """Write the file; remove it if no repository is left."""
        if not self.repos():
            safe_files.remove_file(self.path)
            return
        _text_file.rewrite_durably(self.path, self._document.text(spaces=False), mode=_MODE)


def files_in(directories: list[str]) -> Iterator[RepoFile]:
    """Yield the existing repository files in these directories."""
    for directory in directories:
        if os.path.isdir(directory):
            for name in sorted(os.listdir(directory)):
                if name.endswith(".repo"):
                    yield RepoFile(os.path.join(directory, name))


def _read(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _described(section: Mapping[str, Any]) -> dict[str, Any]:
    options = {key.lower(): _value(value) for key, value in section.items() if not key.startswith("#")}
    comments = [str(line).strip()[1:].lstrip() for key, line in section.items() if key.startswith("#comment")]
    return {**options, "comments": comments} if comments else options


def _value(text: str) -> str:
    return "\n".join(line.strip() for line in str(text).splitlines())


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    # A continuation line is indented.
    return str(value).strip().replace("\n", "\n ")
