"""Pauses that pace load and samples in long tests; never used to wait for a condition.

For a condition there is `waiting.py`.
"""

import random
import time


def pause(seconds: float) -> None:
    """Sleep as planned; the thread blocks."""
    time.sleep(max(0.0, seconds))


def client_pause(seconds: float) -> None:
    """Pause a client of this process; the other greenlets go on."""
    import gevent

    gevent.sleep(seconds)


def random_client_pause(longest: float) -> None:
    """Pause a client for a random time up to `longest` seconds, so that clients do not act in step."""
    client_pause(random.uniform(0, longest))
