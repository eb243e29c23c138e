"""Progress line shown while minions return, with counts, elapsed time and the slowest minions.

The line is drawn by tqdm (extra `terminal`), with `--progress`, or if standard output and standard error are
terminals. While states run, their steps are shown instead (`step_output.py`), which needs no library.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import salt_g.cli.stdio as stdio

if TYPE_CHECKING:
    from salt_g.client.return_collector import ReturnCollector

#: Interval at which the line of a job is refreshed (s).
_PAUSE = 0.5


class MinionsLine:
    """Progress line that counts returned minions; without a `bar` nothing is shown.

    `pause` is the refresh interval in seconds, None without a bar.
    """

    def __init__(self, bar: Any = None) -> None:
        self._bar = bar
        self.pause = None if bar is None else _PAUSE

    def show(self, watch: ReturnCollector | None) -> None:
        """Show the numbers of returned and failed minions, and the missing ones, slowest first."""
        if self._bar is None or watch is None:
            return
        self._bar.total = len(watch.expected)
        self._bar.set_postfix_str(status_text(watch), refresh=False)
        self._bar.n = len(watch.returns)
        self._bar.refresh()

    def clear(self) -> None:
        """Clear the line for other output."""
        if self._bar is not None:
            self._bar.clear()


class StepsLine(MinionsLine):
    """Progress line with the live steps of a job."""

    def __init__(self) -> None:
        from salt_g.cli.live_line import LiveLine

        super().__init__()
        self.pause = _PAUSE
        self._line = LiveLine()

    def show(self, watch: ReturnCollector | None) -> None:
        """Show the number of running minions, and the current step of the slowest one."""
        if watch is not None:
            from salt_g.cli.step_output import job_line

            self._line.show(job_line(watch))

    def clear(self) -> None:
        """Clear the line for other output."""
        self._line.clear()


@contextmanager
def job_line(total: int, *, asked: bool, way: str) -> Iterator[MinionsLine]:
    """Show the steps of a job on `total` minions if `way` is "line", else the number of returned minions."""
    if way != "line" or asked:
        with minions_line(total, asked=asked) as counting:
            yield counting
        return
    line = StepsLine()
    try:
        yield line
    finally:
        line.clear()


@contextmanager
def minions_line(total: int, *, asked: bool = False) -> Iterator[MinionsLine]:
    """Show how many of `total` minions have returned, at a terminal or if the user requested it (`asked`)."""
    if not (asked or stdio.is_watched()):
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


def status_text(watch: ReturnCollector) -> str:
    """Return `2 failed, slowest: db1 3/40, web2 35/40`; without progress events names have no counts."""
    failing = len(watch.failing())
    slowest = sorted(watch.open(), key=lambda id: (_share(watch, id), id))
    names = _names([_with_progress(watch, id) for id in slowest])
    if names and watch.progress:
        names = f"slowest: {names}"
    return ", ".join(part for part in (f"{failing} failed" if failing else "", names) if part)


def _share(watch: ReturnCollector, id: str) -> float:
    return watch.progress[id].share if id in watch.progress else 0.0


def _with_progress(watch: ReturnCollector, id: str) -> str:
    known = watch.progress.get(id)
    return f"{id} {known.done}/{known.total}" if known else id


def _names(ids: list[str]) -> str:
    """Return the first ids and the number of the others, as `a, b, 7 more`."""
    shown = ids[:3] if len(ids) > 4 else ids
    return ", ".join(shown + ([f"{len(ids) - len(shown)} more"] if len(ids) > len(shown) else []))
