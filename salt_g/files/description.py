"""Descriptions of a master's files: digest and status, and their form on the wire.

Shapes: a status from the master is a list of the ten fields of `os.stat_result`, or of the mode alone for a
file in a repository; `hsum` is a hex digest.
Source: wire specification, section 9.2.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple


class Description(NamedTuple):
    """Digest and status of a file, as reported by the master."""

    hsum: str
    hash_type: str
    status: os.stat_result | None

    @property
    def size(self) -> int:
        """The length of the file in bytes, 0 if the master does not know it."""
        return self.status.st_size if self.status else 0


def literal_path(path: str) -> str:
    """Return a path as sent to the master, marked as literal if a `?` would otherwise begin a query."""
    return f"|{path}" if "?" in path else path


def read_description(reply: Any) -> Description | None:
    """Parse a reply to `_file_hash_and_stat`: [{hsum, hash_type}, status list]; None for a missing file."""
    if not isinstance(reply, (list, tuple)) or len(reply) != 2 or not isinstance(reply[0], Mapping):
        return None
    digest, status = reply
    return _description(digest.get("hsum"), digest.get("hash_type"), status)


def read_descriptions(reply: Any) -> list[Description | None]:
    """Parse a reply to `_file_hashes`: {hash_type, files: [[digest, status list] or None, ...]}."""
    files = reply.get("files") if isinstance(reply, Mapping) else None
    if not isinstance(files, (list, tuple)):
        return []
    hash_type = reply.get("hash_type")
    pairs = (file if isinstance(file, (list, tuple)) and len(file) == 2 else ("", None) for file in files)
    return [_description(hsum, hash_type, status) for hsum, status in pairs]


def _description(hsum: Any, hash_type: Any, status: Any) -> Description | None:
    if not hsum:
        return None
    # A master that read the digest from a cache file sends it as bytes.
    text = hsum.decode("ascii") if isinstance(hsum, bytes) else str(hsum)
    return Description(text, str(hash_type or "sha256"), _status(status))


def _status(numbers: Any) -> os.stat_result | None:
    if not isinstance(numbers, (list, tuple)) or not numbers:
        return None
    known = [int(number) for number in numbers[:10]]
    return os.stat_result(known + [0] * (10 - len(known)))
