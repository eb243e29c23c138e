"""Speed of this processor, for bounds on processor time.

A virtual machine that shares its processors takes twice the time for the same work, and so does its hub.
Units: seconds of processor time.
"""

from __future__ import annotations

import functools
import time

#: Time of `_work` on the machines for which bounds are given.
USUAL = 0.1


@functools.cache
def slowness() -> float:
    """Return how much slower this machine is than a typical one, at least 1."""
    return max(1.0, min(_work() for _ in range(5)) / USUAL)


def _work() -> float:
    """Return the time of the costliest part of unpacking: many small objects."""
    began = time.thread_time()
    made: dict[str, list[object]] = {f"{number:06x}": [] for number in range(200_000)}
    taken = time.thread_time() - began
    assert len(made) == 200_000
    return taken
