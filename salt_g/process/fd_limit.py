"""Limit of open files and connections of this process.

A connected minion uses two descriptors on its master, and many systems permit only 1,024.
"""

from __future__ import annotations

import logging
import resource

log = logging.getLogger(__name__)

#: Number of descriptors that replaces an unlimited value.
UNLIMITED = 1 << 20


def allow(wanted: int) -> int:
    """Raise the limit to `wanted`, or as far as the system permits; return the resulting limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if most < wanted:
        log.info("max_open_files is %d, but the system allows only %d", wanted, most)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def limit() -> int:
    """Return the current limit."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft
