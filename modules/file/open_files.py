"""Files held open by the processes of this machine."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


def open_files(by_pid: bool = False) -> dict[str, list[int]] | dict[int, list[str]]:
    """Return {path: [pid, ...]} of all open files, or with `by_pid` {pid: [path, ...]}.

    Example::

        salt-g file.open_files by_pid=True
    """
    by_process = {pid: sorted(set(_open_paths(pid))) for pid in _processes()}
    if by_pid:
        return by_process
    by_path: dict[str, list[int]] = {}
    for pid, paths in sorted(by_process.items()):
        for path in paths:
            by_path.setdefault(path, []).append(pid)
    return by_path


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _open_paths(pid: int) -> Iterator[str]:
    """Yield the paths that a process holds open; none for a process that has ended."""
    for handle in _handles(f"/proc/{pid}"):
        with contextlib.suppress(OSError):
            path = os.path.realpath(handle)
            os.stat(path)
            yield path


def _handles(process: str) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for task in os.listdir(f"{process}/task"):
            yield f"{process}/task/{task}/exe"
            yield from (
                f"{process}/task/{task}/fd/{name}" for name in os.listdir(f"{process}/task/{task}/fd")
            )
