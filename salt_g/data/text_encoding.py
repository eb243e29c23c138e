"""Encoding of texts that a state edits: UTF-8, else Latin-1, which gives all bytes back unchanged.

Errors: CommandExecutionError for new text that the file's encoding cannot hold.
"""

from __future__ import annotations

from salt_g.errors import CommandExecutionError


def encoding_of(content: bytes) -> str:
    """Return the encoding of a text."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def file_encoding(path: str) -> str:
    """Return the encoding of a text file."""
    with open(path, "rb") as file:
        return encoding_of(file.read())


def encoded(text: str, encoding: str, path: str) -> bytes:
    """Return the bytes of a text for the file at `path`."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as exc:
        wrong = exc.object[exc.start]
        raise CommandExecutionError(f"{path} is not UTF-8 text and cannot hold {wrong!r}") from exc
