"""Pauses of long tests: the pace at which a load is made, or samples are taken. Nothing is awaited in them.

Tests wait for an event instead: see `waiting.py`.
"""

import random
import time


def pause(seconds: float) -> None:
    """Let a part of the plan pass; the thread blocks."""
    time.sleep(max(0.0, seconds))


def client_pause(seconds: float) -> None:
    """Let a client of this process be idle; the others go on."""
    import gevent

    gevent.sleep(seconds)


def random_client_pause(longest: float) -> None:
    """Let a client be idle for up to so many seconds, so that clients do not act all at once."""
    client_pause(random.uniform(0, longest))
