"""Files that functions write at a path of the caller's choice: keys, certificates, signatures.

In a call on a host without a minion they are files of the host.
"""

from __future__ import annotations

import glob
import os

from salt_g.process import disk
from salt_g.x509 import key_files


def write(path: str, data: bytes, *, mode: int = disk.PRIVATE_FILE) -> None:
    """Write a file atomically; `mode` is for a new one, an existing one keeps its owner and mode."""
    host = key_files.of_host()
    if host is not None:
        host.write(path, data, mode=mode)
    elif os.path.exists(path):
        disk.rewrite(path, data)
    else:
        disk.write_whole(path, data, mode=mode)


def write_private(path: str, data: bytes) -> None:
    """Write a file atomically that only its owner can read; on a host, an existing file keeps its owner."""
    host = key_files.of_host()
    if host is None:
        disk.write_whole(path, data)
    else:
        host.write_private(path, data)


def is_taken(path: str) -> bool:
    """Return whether something exists at a path; on a host, only files count."""
    host = key_files.of_host()
    return os.path.exists(path) if host is None else host.is_file(path)


def files_of(pattern: str) -> list[str]:
    """Return the paths of the files that match a glob."""
    host = key_files.of_host()
    if host is not None:
        return host.glob(pattern)
    return [path for path in glob.glob(pattern) if os.path.isfile(path)]
