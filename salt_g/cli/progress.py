"""A live line while states run: how many of how many, how long, which one.

Why its own file: it is for people at a terminal only. The line is tqdm's (extra `terminal`); without
that library, and whenever standard output or standard error goes elsewhere, there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from salt_g.shapes import LowChunk

#: Longest name of a state in the line, in characters.
_NAME_WIDTH = 40

#: Called with (done, total, chunk, return) after each state.
OnChunk = Callable[[int, int, LowChunk, Any], None]


def is_watched() -> bool:
    """Return whether a person sees both what is printed and the line."""
    return sys.stdout.isatty() and sys.stderr.isatty()


@contextmanager
def live_line() -> Iterator[OnChunk | None]:
    """Show the line for the body of a `with` block; None without the library."""
    try:
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    with tqdm(unit="state", leave=False, dynamic_ncols=True, disable=None, file=sys.stderr) as bar:

        def show(done: int, total: int, low: LowChunk, ret: Any) -> None:
            bar.total = total
            bar.set_postfix_str(describe(low), refresh=False)
            bar.update(done - bar.n)

        yield show


def describe(low: LowChunk) -> str:
    """Return `mod.fun: name`, cut to fit a line."""
    name = str(low.get("name", ""))
    cut = name if len(name) <= _NAME_WIDTH else f"{name[: _NAME_WIDTH - 1]}…"
    return f"{low.get('state')}.{low.get('fun')}: {cut}"
