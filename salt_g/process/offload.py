"""Blocking work in native threads, while the hub runs other greenlets.

Files, states and keys use this file, also in programs without a hub; gevent, which is slow to import, is
imported only in programs with a hub.
Units: sizes in bytes.
"""

from __future__ import annotations

import contextlib
import contextvars
import importlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

#: Function with which the running greenlet yields, None for a short sleep; see `fair_slices.py`.
_pause: contextvars.ContextVar[Callable[[], None] | None] = contextvars.ContextVar("pause", default=None)

#: Size from which reading, hashing or copying would block the hub for too long, 10 ms (bytes).
LARGE = 8 << 20
#: Sleep that yields to other greenlets (s). Not 0, because gevent 26.9 then continues with ready greenlets
#: and checks sockets and timers only after fifty such rounds, which stalled a hub for a whole run.
MOMENT = 1e-6
#: Maximum time of work between two yields (s).
SLICE = 0.005


def offload(function: Callable[..., T], *args: Any) -> T:
    """Run a blocking function in a native thread and return its result; the hub keeps running.

    Use it for long reads, hashing, archives and RSA. The function takes values and returns a value; it uses
    no socket, no greenlet primitive and no object that other code modifies. It imports nothing: gevent
    replaces the locks of imports, too, and two native threads that import the same module can deadlock.
    """
    import gevent

    context = contextvars.copy_context()
    context.run(_pause.set, None)
    result, error = gevent.get_hub().threadpool.apply(context.run, (_outcome, function, args))
    if error is None:
        done: T = result
        return done
    try:
        raise error
    finally:
        # The traceback of an error must not refer to the error, because both, and all arguments of the
        # function, would then stay in memory until garbage collection.
        del error


def _outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    """Return (result, None) or (None, error), because gevent keeps exceptions in a reference cycle."""
    try:
        return function(*args), None
    except Exception as exc:
        return None, exc


def offload_large(size: int, function: Callable[..., T], *args: Any) -> T:
    """Call a function that reads or writes `size` bytes; in a daemon, offload it from `LARGE` bytes on."""
    return function(*args) if size < LARGE else offload_in_daemon(function, *args)


def offload_in_daemon(function: Callable[..., T], *args: Any) -> T:
    """Call a function that may wait for a disk or take long; offload it in a daemon."""
    return offload(function, *args) if _has_hub() else function(*args)


def offload_heavy(is_light: bool, light: Callable[..., T], heavy: Callable[..., T], *args: Any) -> T:
    """Call `light` for small work and in programs without a hub, otherwise `heavy` in a native thread."""
    return light(*args) if is_light or not _has_hub() else offload(heavy, *args)


def yield_to_hub() -> None:
    """Yield to a daemon's other greenlets; call this after about 10 ms of work."""
    if not _has_hub():
        return
    pause = _pause.get()
    if pause is not None:
        pause()
        return
    import gevent

    gevent.sleep(MOMENT)


def in_slices(things: Iterable[T]) -> Iterator[T]:
    """Yield things one by one, with a turn for other greenlets of a daemon after each `SLICE` of work."""
    began = time.monotonic()
    for thing in things:
        yield thing
        if time.monotonic() - began >= SLICE:
            yield_to_hub()
            began = time.monotonic()


@contextlib.contextmanager
def pausing_by(pause: Callable[[], None]) -> Iterator[None]:
    """Let `yield_to_hub` call `pause` in this greenlet and in greenlets that it starts."""
    token = _pause.set(pause)
    try:
        yield
    finally:
        _pause.reset(token)


def _has_hub() -> bool:
    """Return whether this program runs greenlets, that is, has patched the standard library."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and bool(monkey.is_module_patched("threading"))


def unpatched(name: str, module: str = "_thread") -> Callable[..., Any]:
    """Return a function of a standard module without gevent's patches, for use in a native thread.

    Use it for objects shared by native threads: gevent's locks are for greenlets, and two native threads that
    contend for one sometimes deadlock (gevent 26.9, once in some thousand attempts).
    """
    monkey = sys.modules.get("gevent.monkey")
    if monkey is not None:
        original: Callable[..., Any] = monkey.get_original(module, name)
        return original
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found
