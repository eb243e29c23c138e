"""Small text files of the system, rewritten as a whole; mode, owner and links are kept.

Errors: OSError; LookupError for an unknown encoding.
"""

from __future__ import annotations

import os

from salt_g import safe_files
from salt_g.process import disk


def read(path: str, encoding: str = "utf-8") -> str:
    """Return the text of a file, or '' if missing; undecodable bytes survive a rewrite."""
    try:
        with open(path, encoding=encoding, errors="surrogateescape", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def rewrite(path: str, text: str, *, mode: int = 0o644, encoding: str = "utf-8") -> None:
    """Replace a file atomically; a new one gets `mode`, an existing one keeps mode and owner."""
    _replace(path, text.encode(encoding, "surrogateescape"), mode)


def rewrite_durably(path: str, text: str, *, mode: int = 0o644) -> None:
    """Replace a file as `rewrite` does, and flush it to the disk: the machine may need it to start."""
    _replace(path, text.encode("utf-8", "surrogateescape"), mode, durably=True)


def _replace(path: str, data: bytes, mode: int, *, durably: bool = False) -> None:
    # A link stays a link: its target is replaced.
    with disk.replacing(safe_files.resolved(path), new_mode=mode) as file:
        file.write(data)
        if durably:
            file.flush()
            os.fsync(file.fileno())
