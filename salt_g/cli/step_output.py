"""Live steps of state runs on standard error, as a status line at a terminal or as JSON for programs.

Shapes: a line of JSON is {"id": minion, "jid": job, "total", "done", "now"}, see `shapes/steps.py`; a call on
this machine has no "jid".
Units: seconds.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.cli.options import chooses_output
from salt_g.cli.stdio import is_watched

if TYPE_CHECKING:
    import argparse

    from salt_g.client.return_collector import ReturnCollector
    from salt_g.report.step_feed import StepFeed
    from salt_g.shapes.steps import StepEvent

#: Values of `--steps`.
LINE, JSON, NONE = "line", "json", "none"
WAYS = (LINE, JSON, NONE)
#: Prefix of the functions that run states.
STATES = "state."
#: Redraw interval of the line, so that its seconds keep counting (s).
PAUSE = 0.5


def add_steps(group: argparse._ActionsContainer) -> None:
    """Add the option that chooses how live steps are shown."""
    group.add_argument(
        "--steps",
        choices=WAYS,
        metavar="WAY",
        help="how to show the steps of running states, on standard error: line (the default at a"
        " terminal), json (a line for each event, for programs), none",
    )


def way_of(asked: str | None, fun: Any, opts: Mapping[str, Any]) -> str:
    """Return how to show the steps of a call of `fun`: as `asked`, else as a line at a terminal.

    The steps of functions that run no states are never shown.
    """
    if not any(str(name).startswith(STATES) for name in (fun if isinstance(fun, (list, tuple)) else [fun])):
        return NONE
    if asked is not None:
        return asked
    return LINE if is_watched() and not chooses_output(opts) else NONE


def print_event(event: StepEvent, **about: str) -> None:
    """Print an event as one line of JSON, with the further fields `about`."""
    print(json.dumps({**about, **event}), file=sys.stderr, flush=True)


def job_line(watch: ReturnCollector) -> str:
    """Return counts and the slowest minion: `12/12 running · 1 failed · web3 41/80 pkg.installed nginx`."""
    running = watch.open()
    parts = [f"{len(running)}/{len(watch.expected)} running"]
    if failing := len(watch.failing()):
        parts.append(f"{failing} failed")
    if slowest := watch.steps.slowest(running):
        parts.append(f"{slowest} {watch.steps.text_of(slowest)}")
    elif behind := sorted((watch.progress[id].share, id) for id in running if id in watch.progress):
        known = watch.progress[behind[0][1]]
        parts.append(f"{behind[0][1]} {known.done}/{known.total}")
    return " · ".join(parts)


@contextlib.contextmanager
def watching(way: str, id: str) -> Iterator[StepFeed | None]:
    """Show the steps that a local call records during the block; yield None if they are not shown."""
    if way == NONE:
        yield None
        return
    import threading

    from salt_g.report.step_feed import INTERVAL, StepFeed

    changed, over = threading.Event(), threading.Event()
    feed = StepFeed(on_change=changed.set)
    draw, clear = _drawing(way, id)

    def run() -> None:
        while not over.is_set():
            changed.wait(PAUSE)
            changed.clear()
            draw(feed.take())
            over.wait(INTERVAL)

    thread = threading.Thread(target=run, name="steps", daemon=True)
    thread.start()
    try:
        yield feed
    finally:
        over.set()
        changed.set()
        thread.join()
        draw(feed.take())
        clear()


def _drawing(way: str, id: str) -> tuple[Callable[[StepEvent | None], None], Callable[[], None]]:
    """Return two functions: one shows an event, or redraws the line for None; the other ends the output."""
    if way == JSON:
        return lambda event: None if event is None else print_event(event, id=id), lambda: None
    from salt_g.cli.live_line import LiveLine
    from salt_g.report.step_board import StepBoard

    line, board = LiveLine(), StepBoard()

    def draw(event: StepEvent | None) -> None:
        if event is not None:
            board.take(id, event)
        if id in board.minions:
            line.show(board.text_of(id))

    return draw, line.clear
