"""Kernel statistics of this process: memory, open files, processor time.

Read on demand from Linux's `/proc/self`. Unavailable values are 0.
Units: bytes, seconds.
"""

from __future__ import annotations

import os
import time


def resident_bytes() -> int:
    """Return the memory in use, with shared pages counted fully."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def proportional_bytes() -> int:
    """Return the memory in use, with shared pages counted proportionally.

    The kernel walks all pages, which takes some milliseconds, so daemons call this in a native thread.
    """
    try:
        with open("/proc/self/smaps_rollup", encoding="ascii") as file:
            found = next(line for line in file if line.startswith("Pss:"))
        return int(found.split()[1]) * 1024
    except (OSError, ValueError, IndexError, StopIteration):
        return 0


def open_files() -> int:
    """Return the number of open file descriptors."""
    try:
        # Minus the descriptor that reads the directory.
        return len(os.listdir("/proc/self/fd")) - 1
    except OSError:
        return 0


def processor_seconds() -> float:
    """Return the processor time of all threads since the start."""
    return time.process_time()
