"""Stacks of all native threads and greenlets of this process, for finding out why a daemon hangs.

Only names and code are shown, because arguments and local values may be secrets.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Iterator
from types import FrameType

from greenlet import greenlet


def all_stacks() -> str:
    """Return the stacks as text; callable while the hub is blocked."""
    return "\n".join([f"stacks of process {os.getpid()}", *_threads(), *_greenlets()])


def _threads() -> Iterator[str]:
    for ident, frame in sys._current_frames().items():
        yield f"thread {ident}:\n{_text(frame)}"


def _greenlets() -> Iterator[str]:
    """Yield the stacks of waiting greenlets; the running greenlet is in the stack of its thread."""
    for item in gc.get_objects():
        if isinstance(item, greenlet) and item.gr_frame is not None:
            name = getattr(item, "name", None) or type(item).__name__
            yield f"greenlet {name}:\n{_text(item.gr_frame)}"


def _text(frame: FrameType) -> str:
    return "".join(traceback.format_stack(frame)).rstrip("\n")
