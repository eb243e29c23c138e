"""Desired content of a file, and its differences from the current content.

Test mode, the real run and `file.get_diff` compare by the same rules. The content is in memory (`contents`, a
template) or in a file that may exceed memory.

Units: sizes in bytes.
"""

from __future__ import annotations

import io
import os
from typing import IO, NamedTuple

from salt_g import safe_files
from salt_g.api import opts
from salt_g.data.text_diff import PROBE_SIZE, diff_lines, differs_in_substance, is_binary
from salt_g.process.disk import copy_content
from salt_g.process.offload import offload_large

#: Chunk size for comparing and copying files.
CHUNK_SIZE = 1 << 20
#: Files up to this size are compared in memory.
_SMALL = 1 << 16
#: No diff for larger files; it would take minutes and exhaust memory.
DIFF_LIMIT = 16 << 20
HIDDEN = "<show_changes=False>"
OBFUSCATED = "<Obfuscated Template>"


class Content(NamedTuple):
    """Bytes in memory (`data`) or, where that is None, the bytes of the file at `path`."""

    data: bytes | None = None
    path: str = ""

    def is_in(self, path: str) -> bool:
        """Return whether the file at `path` has exactly this content."""
        if self.data is not None:
            return _has_bytes(path, self.data)
        size = os.stat(path).st_size
        return size == os.stat(self.path).st_size and offload_large(size, _same_bytes, path, self.path)

    def write_to(self, file: IO[bytes]) -> None:
        """Write the content into an open file."""
        if self.data is not None:
            file.write(self.data)
            return
        with open(self.path, "rb", opener=safe_files.opener) as source:
            offload_large(os.fstat(source.fileno()).st_size, copy_content, source, file)

    def is_text(self) -> bool:
        """Return whether the content is text, judged by its beginning."""
        if self.data is not None:
            return not is_binary(self.data[:PROBE_SIZE])
        with open(self.path, "rb") as file:
            return not is_binary(file.read(PROBE_SIZE))

    def size(self) -> int:
        """Return the length of the content."""
        return os.stat(self.path).st_size if self.data is None else len(self.data)

    def lines(self) -> list[bytes]:
        """Return all lines with their ends."""
        if self.data is not None:
            return io.BytesIO(self.data).readlines()
        with open(self.path, "rb") as file:
            return file.readlines()


class Ignoring(NamedTuple):
    """Differences that do not count as changes."""

    ordering: bool = False
    whitespace: bool = False
    comment_characters: tuple[str, ...] = ()

    @classmethod
    def from_arguments(cls, ordering: bool, whitespace: bool, comments: str | list[str] | None) -> Ignoring:
        """Return the ignored differences that the arguments of a state define."""
        characters = (comments,) if isinstance(comments, str) else tuple(comments or ())
        return cls(bool(ordering), bool(whitespace), characters)

    def __bool__(self) -> bool:
        return bool(self.ordering or self.whitespace or self.comment_characters)


class Difference(NamedTuple):
    """Text of a difference ('' for none), and whether the difference counts as a change."""

    text: str = ""
    counts: bool = False


def difference(old: Content, new: Content, ignoring: Ignoring, *, show: bool = True) -> Difference:
    """Return the difference between unequal contents for a state's result, hidden if the settings say so."""
    if opts.get("obfuscate_templates"):
        return Difference(OBFUSCATED, True)
    return shown_difference(old, new, ignoring) if show else Difference(HIDDEN, True)


def shown_difference(
    old: Content, new: Content, ignoring: Ignoring, *, names: tuple[str, str] = ("", "")
) -> Difference:
    """Return the difference between unequal contents, whatever the setting `obfuscate_templates` is."""
    words = _binary_words(old.is_text(), new.is_text())
    if words:
        return Difference(words, True)
    if max(old.size(), new.size()) > DIFF_LIMIT:
        return Difference(f"<no diff of files over {DIFF_LIMIT >> 20} MiB>", True)
    lines = diff_lines(old.lines(), new.lines(), *names)
    counts = not ignoring or differs_in_substance(
        lines,
        ignore_whitespace=ignoring.whitespace,
        ignore_comment_characters=ignoring.comment_characters,
    )
    return Difference("".join(lines), counts)


def _binary_words(old_is_text: bool, new_is_text: bool) -> str:
    if old_is_text and new_is_text:
        return ""
    if not old_is_text and not new_is_text:
        return "Replace binary file"
    return "Replace text file with binary file" if old_is_text else "Replace binary file with text file"


def _has_bytes(path: str, data: bytes) -> bool:
    """Return whether a file consists of these bytes; read without buffering, as most files are small."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size, read = len(data), 0
        if os.fstat(file).st_size != size:
            return False
        while chunk := os.read(file, min(size - read + 1, CHUNK_SIZE)):
            if data[read : read + len(chunk)] != chunk:
                return False
            read += len(chunk)
        return read == size
    finally:
        os.close(file)


def _same_bytes(one: str, other: str) -> bool:
    with open(one, "rb") as left:
        if os.fstat(left.fileno()).st_size <= _SMALL:
            return _has_bytes(other, left.read())
        with open(other, "rb") as right:
            while chunk := left.read(CHUNK_SIZE):
                if chunk != right.read(CHUNK_SIZE):
                    return False
            return not right.read(1)
