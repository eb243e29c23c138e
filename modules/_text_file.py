"""Small text files of the system, rewritten as a whole; mode and owner are kept.

Errors: OSError; LookupError for an unknown encoding.
"""

from __future__ import annotations

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
    data = text.encode(encoding, "surrogateescape")
    # A link stays a link: its target is replaced.
    with disk.replacing(safe_files.resolved(path), new_mode=mode) as file:
        file.write(data)
