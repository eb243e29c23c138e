"""Change a small text file of the system: read it whole, write it whole, keep mode and owner.

Why its own file: hosts, ini files, authorized keys and known hosts are edited alike.
Errors: OSError; LookupError for an encoding that does not exist.
"""

from __future__ import annotations

from salt_g import safe_files
from salt_g.process import disk


def read(path: str, encoding: str = "utf-8") -> str:
    """Return the text of a file, '' when it is not there; bytes that do not fit survive a rewrite."""
    try:
        with open(path, encoding=encoding, errors="surrogateescape", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def rewrite(path: str, text: str, *, mode: int = 0o644, encoding: str = "utf-8") -> None:
    """Replace a file in one step; a new one gets `mode`, one that is there keeps mode and owner."""
    data = text.encode(encoding, "surrogateescape")
    # A link stays one: what it points to is replaced.
    with disk.replacing(safe_files.resolved(path), new_mode=mode) as file:
        file.write(data)
