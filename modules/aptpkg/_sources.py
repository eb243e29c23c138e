"""apt's repository lists: reading, changing, and writing only the files that changed.

Shapes: a `Source` is one entry, in either format. Other text (comments, empty lines) is kept unchanged.
Source: sources.list(5).
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator

import salt_g.modules.aptpkg._deb822 as _deb822
import salt_g.modules.aptpkg._one_line as _one_line
from salt_g import safe_files
from salt_g.modules import _text_file
from salt_g.modules.aptpkg._source import Source

#: The one file outside the directory; entries without a file of their own are added to it.
MAIN_FILE = "/etc/apt/sources.list"
#: Directory whose `.list` and `.sources` files are read.
DIRECTORY = "/etc/apt/sources.list.d"
#: World-readable: apt's own user reads these files too.
_MODE = 0o644


@dataclasses.dataclass
class Block:
    """Piece of a file: its text as read, and its entry (None for other text)."""

    text: str
    source: Source | None


class SourcesFile:
    """File of repository entries, changed in memory until `save`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._format = _deb822 if path.endswith(".sources") else _one_line
        self.blocks = [Block(text, self._format.parse(text)) for text in self._format.split(_read(path))]

    @property
    def sources(self) -> list[Source]:
        """The entries of this file."""
        return [block.source for block in self.blocks if block.source]

    def add(self, source: Source) -> None:
        """Append an entry."""
        self.blocks.append(Block("", source))

    def replace(self, old: Source, *new: Source) -> None:
        """Replace an entry by others, or remove it (no other)."""
        position = next(at for at, block in enumerate(self.blocks) if block.source is old)
        self.blocks[position : position + 1] = [Block("", source) for source in new]

    def text(self) -> str:
        """Return the text of the file; unchanged entries keep their original text."""
        texts = [block.text or self._format.render(block.source) for block in self.blocks]
        return str(self._format.join(texts))

    def save(self) -> None:
        """Write the file; remove it from the directory if no entry is left."""
        if not self.sources and os.path.dirname(self.path) == DIRECTORY:
            if os.path.exists(self.path):
                safe_files.remove_file(self.path)
            return
        _text_file.rewrite_durably(self.path, self.text(), mode=_MODE)


def read_files() -> list[SourcesFile]:
    """Return all existing files of repository entries."""
    return [SourcesFile(path) for path in _paths()]


def all_sources() -> Iterator[tuple[str, Source]]:
    """Yield (path, entry) of all entries."""
    for file in read_files():
        for source in file.sources:
            yield file.path, source


def _paths() -> Iterator[str]:
    if os.path.isfile(MAIN_FILE):
        yield MAIN_FILE
    if os.path.isdir(DIRECTORY):
        for name in sorted(os.listdir(DIRECTORY)):
            path = os.path.join(DIRECTORY, name)
            if name.endswith((".list", ".sources")) and os.path.isfile(path):
                yield path


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except FileNotFoundError:
        return ""
