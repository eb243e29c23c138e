"""Observation of the output of programs while they run.

Without an observer, `subprocess` itself reads the output.
Units: seconds, bytes.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import IO, Any

#: Callback with each piece of output of either stream; it must not wait.
Observer = Callable[[bytes], None]

#: Maximum size of one read, and of one write, which a ready pipe accepts without blocking (bytes).
_PIECE = 32 * 1024
_WRITTEN = 4096

_observer: contextvars.ContextVar[Observer | None] = contextvars.ContextVar("salt_g_observer", default=None)


@contextlib.contextmanager
def observed(observer: Observer | None) -> Iterator[None]:
    """Pass the output of programs that run in the block to `observer`; None disables observation."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


def observer() -> Observer | None:
    """Return the current observer of programs, or None if there is none."""
    return _observer.get()


def communicate(
    process: subprocess.Popen[bytes], stdin: bytes | None, timeout: float | None, observer: Observer
) -> tuple[bytes, bytes]:
    """Return standard output and error of a program like `Popen.communicate`, and pass both to `observer`.

    Raises TimeoutExpired if the program still runs, or a pipe is still open, after `timeout` seconds.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    read: dict[Any, list[bytes]] = {}
    with selectors.DefaultSelector() as selector:
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                read[pipe] = []
                selector.register(pipe, selectors.EVENT_READ)
        rest = _registered_input(selector, process.stdin, stdin)
        while selector.get_map():
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise subprocess.TimeoutExpired(process.args, timeout or 0)
            for key, _ in selector.select(left):
                if key.fileobj is process.stdin:
                    rest = _write(selector, process.stdin, rest)
                else:
                    _read(selector, key, read[key.fileobj], observer)
    process.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
    for pipe in read:
        pipe.close()
    return b"".join(read.get(process.stdout, ())), b"".join(read.get(process.stderr, ()))


def _registered_input(
    selector: selectors.BaseSelector, pipe: IO[bytes] | None, data: bytes | None
) -> memoryview:
    if pipe is not None and data:
        selector.register(pipe, selectors.EVENT_WRITE)
    elif pipe is not None:
        pipe.close()
    return memoryview(data or b"")


def _write(selector: selectors.BaseSelector, pipe: IO[bytes] | None, rest: memoryview) -> memoryview:
    """Write a part of the input; return the rest, which is empty if the program has closed its input."""
    if pipe is None:
        return rest
    try:
        rest = rest[os.write(pipe.fileno(), rest[:_WRITTEN]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        rest = rest[:0]
    if not rest:
        selector.unregister(pipe)
        with contextlib.suppress(BrokenPipeError):
            pipe.close()
    return rest


def _read(
    selector: selectors.BaseSelector, key: selectors.SelectorKey, read: list[bytes], observer: Observer
) -> None:
    try:
        data = os.read(key.fd, _PIECE)
    except BlockingIOError:
        return
    if data:
        read.append(data)
        observer(data)
    else:
        selector.unregister(key.fileobj)
