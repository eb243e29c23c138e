"""Files that functions write at a path of the caller's choice: keys, certificates, signatures."""

from __future__ import annotations

import os

from salt_g.process import disk


def write(path: str, data: bytes, *, mode: int = disk.PRIVATE_FILE) -> None:
    """Write a file atomically; `mode` is for a new one, an existing one keeps its owner and mode."""
    if os.path.exists(path):
        disk.rewrite(path, data)
    else:
        disk.write_whole(path, data, mode=mode)
