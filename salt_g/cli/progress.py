"""A live line while states run or minions return: how many of how many, how long, which one.

Why its own file: it is for people at a terminal only. The line is tqdm's (extra `terminal`); without
that library, and whenever standard output or standard error goes elsewhere, there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from salt_g.shapes import LowChunk

if TYPE_CHECKING:
    from salt_g.client.job_tracker import JobTracker

#: Longest name of a state in the line, in characters.
_NAME_WIDTH = 40
#: Longest time between two looks at the minions of a job (s).
_PAUSE = 0.5

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


class MinionsLine:
    """A line that counts the minions that have returned; nothing at all without a `bar`.

    `pause` is the longest time between two looks at who is waited for (s), None when nobody looks.
    """

    def __init__(self, bar: Any = None) -> None:
        self._bar = bar
        self.pause = None if bar is None else _PAUSE

    def show(self, watch: JobTracker | None) -> None:
        """Show how many have returned, how many failed, and who is still waited for, the slowest first."""
        if self._bar is None or watch is None:
            return
        self._bar.total = len(watch.expected)
        self._bar.set_postfix_str(told(watch), refresh=False)
        self._bar.n = len(watch.returns)
        self._bar.refresh()

    def clear(self) -> None:
        """Make room for what is printed."""
        if self._bar is not None:
            self._bar.clear()


@contextmanager
def minions_line(total: int, *, asked: bool = False) -> Iterator[MinionsLine]:
    """Show how many of `total` minions have returned, to a person at a terminal or when `asked` for."""
    if not (asked or is_watched()):
        yield MinionsLine()
        return
    try:
        from tqdm import tqdm
    except ImportError:
        if asked:
            print("--progress needs tqdm: install salt-g[terminal]", file=sys.stderr)
        yield MinionsLine()
        return
    with tqdm(total=total, unit="minion", leave=asked, dynamic_ncols=True, file=sys.stderr) as bar:
        yield MinionsLine(bar)


def told(watch: JobTracker) -> str:
    """Return `2 failed, slowest: db1 3/40, web2 35/40`; without progress events only names."""
    failing = len(watch.failing())
    slowest = sorted(watch.open(), key=lambda id: (_share(watch, id), id))
    names = _names([_with_progress(watch, id) for id in slowest])
    if names and watch.progress:
        names = f"slowest: {names}"
    return ", ".join(part for part in (f"{failing} failed" if failing else "", names) if part)


def _share(watch: JobTracker, id: str) -> float:
    return watch.progress[id].share if id in watch.progress else 0.0


def _with_progress(watch: JobTracker, id: str) -> str:
    known = watch.progress.get(id)
    return f"{id} {known.done}/{known.total}" if known else id


def _names(ids: list[str]) -> str:
    """Return `a, b, 7 more`."""
    shown = ids[:3] if len(ids) > 4 else ids
    return ", ".join(shown + ([f"{len(ids) - len(shown)} more"] if len(ids) > len(shown) else []))
