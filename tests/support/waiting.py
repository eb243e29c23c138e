"""Polling with a deadline: the only place in the tests that pauses.

Units: seconds. Errors: AssertionError names what was awaited.
"""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: Time limit for a start, a stop or an effect on a busy machine (s).
DEADLINE = 90.0
#: Time limit for greenlets of this process, which wait for no other (s).
HUB_DEADLINE = 60.0
#: Pauses between two looks (s): at another process, and at greenlets of this one.
PAUSE, HUB_PAUSE = 0.05, 0.001
#: Longest pause after a look that took a while (s).
LONGEST_PAUSE = 0.5


def until(found: Callable[[], T], what: str, *, seconds: float = DEADLINE) -> T:
    """Return the first true value of `found()`; the thread blocks between two calls.

    It blocks about as long as the call has taken: a command called again at once would occupy a processor.
    """
    return _first(found, what, seconds, lambda taken: time.sleep(min(max(PAUSE, taken), LONGEST_PAUSE)))


def hub_until(
    found: Callable[[], T],
    what: str = "what the greenlets shall do",
    *,
    seconds: float = HUB_DEADLINE,
) -> T:
    """Return the first true value of `found()`; other greenlets of this process run between two calls."""
    import gevent

    return _first(found, what, seconds, lambda taken: gevent.sleep(HUB_PAUSE))


def hub_turns(count: int = 1) -> None:
    """Let every greenlet that can run do so, `count` times."""
    import gevent

    for _ in range(count):
        gevent.sleep(0)


def _first(found: Callable[[], T], what: str, seconds: float, pause: Callable[[float], None]) -> T:
    begun = time.monotonic()
    deadline = begun + seconds
    while not (value := found()):
        now = time.monotonic()
        if now > deadline:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        pause(now - begun)
        begun = time.monotonic()
    return value
