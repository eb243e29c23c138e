"""Run blocking work in a native thread, so that the hub's other greenlets go on.

Why its own file: files, states and keys offload, and only few of the programs that use them have
a hub; gevent, slow to import, is not imported where nothing could stand still.
Units: sizes in bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

#: From this size on reading, hashing or copying takes longer than the hub may stand still (10 ms).
LARGE = 8 << 20
#: Seconds to sleep when only others are to have their turn. Not 0: gevent 26.9 then goes on with what
#: is ready and looks at sockets and timers only after fifty such rounds, which stalled a hub for a whole run.
MOMENT = 1e-6


def offload(function: Callable[..., T], *args: Any) -> T:
    """Run a blocking function in a native thread and return its result; the hub goes on.

    For long reads, hashing, archives, RSA. The function gets values and returns a value; it
    touches no socket, no greenlet primitive and nothing that others write to.
    """
    import contextvars

    import gevent

    context = contextvars.copy_context()
    result, error = gevent.get_hub().threadpool.apply(context.run, (_outcome, function, args))
    if error is None:
        done: T = result
        return done
    try:
        raise error
    finally:
        # What an error's stack refers to must not refer to the error: both would stay, with everything
        # that the function was given, until garbage is collected.
        del error


def _outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    """Return (result, None) or (None, error); gevent keeps an error that a thread raises in a circle."""
    try:
        return function(*args), None
    except Exception as exc:
        return None, exc


def offload_large(size: int, function: Callable[..., T], *args: Any) -> T:
    """Call a function that reads or writes `size` bytes; offload it when that takes long in a daemon."""
    return function(*args) if size < LARGE else offload_in_daemon(function, *args)


def offload_in_daemon(function: Callable[..., T], *args: Any) -> T:
    """Call a function that may wait for a disk or take long; offload it when this is a daemon."""
    return offload(function, *args) if _has_hub() else function(*args)


def offload_heavy(is_light: bool, light: Callable[..., T], heavy: Callable[..., T], *args: Any) -> T:
    """Call `light` for what the hub does in no time; let a native thread call `heavy` for all else."""
    return light(*args) if is_light or not _has_hub() else offload(heavy, *args)


def yield_to_hub() -> None:
    """Let a daemon's other greenlets have their turn, between two pieces of work of some 10 ms."""
    if _has_hub():
        import gevent

        gevent.sleep(MOMENT)


def _has_hub() -> bool:
    """Return whether this program runs greenlets: it has patched the standard library."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and bool(monkey.is_module_patched("threading"))


def unpatched(name: str) -> Callable[..., Any]:
    """Return a function of `_thread` as it is without gevent's patches.

    For what native threads share: gevent's locks are for greenlets, and two native threads that meet
    at one sometimes wait for ever (gevent 26.9, once in some thousand meetings).
    """
    monkey = sys.modules.get("gevent.monkey")
    if monkey is not None:
        original: Callable[..., Any] = monkey.get_original("_thread", name)
        return original
    import _thread

    found: Callable[..., Any] = getattr(_thread, name)
    return found
