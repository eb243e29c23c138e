"""How many files and connections this process may have open at once.

Why its own file: it changes the process; a connected minion takes two of them, and many systems give 1,024.
"""

from __future__ import annotations

import logging
import resource

log = logging.getLogger(__name__)

#: What stands for no limit at all.
UNLIMITED = 1 << 20


def allow(wanted: int) -> int:
    """Raise the limit to `wanted`, or as far as the system lets this user; return what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if most < wanted:
        log.info("max_open_files is %d, the system allows %d", wanted, most)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def limit() -> int:
    """Return how many this process may have open now."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft
