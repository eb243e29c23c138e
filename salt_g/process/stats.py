"""What the kernel says of this process: memory, open files, processor time.

Why its own file: Linux's files in `/proc/self`, read when somebody asks. What a kernel does not tell is 0.
Units: bytes, seconds.
"""

from __future__ import annotations

import os
import time


def resident_bytes() -> int:
    """Return how much memory is in use, shared pages counted whole."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def proportional_bytes() -> int:
    """Return how much memory is in use, a page that several share counted in parts.

    The kernel walks all pages for it: some milliseconds, so daemons read it in a native thread.
    """
    try:
        with open("/proc/self/smaps_rollup", encoding="ascii") as file:
            found = next(line for line in file if line.startswith("Pss:"))
        return int(found.split()[1]) * 1024
    except (OSError, ValueError, IndexError, StopIteration):
        return 0


def open_files() -> int:
    """Return how many file descriptors are open."""
    try:
        # The one that reads the directory is none of ours.
        return len(os.listdir("/proc/self/fd")) - 1
    except OSError:
        return 0


def processor_seconds() -> float:
    """Return the processor time used since the start, of all threads."""
    return time.process_time()
