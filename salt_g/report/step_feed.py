"""Steps of one job, collected while its states run and delivered as events.

The run adds chunks and lines of output; a sender, often another greenlet or thread, takes events. Neither
waits for the other. All steps since the last event are merged into the next one, and beyond `MAX_BYTES` the
oldest steps are dropped and counted.
Shapes: `shapes/steps.py`.
Units: seconds, bytes, characters.
"""

from __future__ import annotations

import collections
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from salt_g.process.redaction import redacted
from salt_g.process.secret_hiding import hide

if TYPE_CHECKING:
    from salt_g.shapes import StateReturn
    from salt_g.shapes.steps import CurrentStep, Step, StepEvent

#: Minimum time between two events of one run, and between two that only report a new line of output (s).
INTERVAL = 0.1
LINE_INTERVAL = 1.0
#: Maximum size of an event, and the part of it reserved for fields other than steps (bytes).
MAX_BYTES = 8 * 1024
_RESERVE = 1024
#: Maximum length of names, and of a line of output (characters).
MAX_NAME = 200
MAX_LINE = 200
#: Number of bytes kept at the end of a chunk's output, from which its last line is taken.
TAIL = 4096
#: Durations of this value or more are treated as invalid (ms).
MOST_MS = 10**9
#: Size of a step without its names (bytes).
_FRAME = 48
_ENDS_OF_LINES = re.compile(rb"[\r\n]+")
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")


class _Running:
    """Running chunk, with the end of its output."""

    __slots__ = ("fun", "id", "n", "since", "tail")

    def __init__(self, n: int, id: str, fun: str, since: float) -> None:
        self.n = n
        self.id = id
        self.fun = fun
        self.since = since
        self.tail = b""


class StepFeed:
    """Steps of one job on one minion.

    `on_change` is called for the first change after an event; it must not wait.
    """

    def __init__(
        self, *, on_change: Callable[[], None] = lambda: None, now: Callable[[], float] = time.time
    ) -> None:
        self._on_change = on_change
        self._now = now
        self._done: collections.deque[tuple[int, Step]] = collections.deque()
        self._held = 0
        self._running: dict[int, _Running] = {}
        self._last: int | None = None
        self._lost = 0
        self._total = 0
        self._is_changed = False
        self._has_output = False
        self._taken_at = 0.0
        #: Whether recording has ended; set by the owner.
        self.is_over = False

    def begin_run(self, total: int) -> int:
        """Expect `total` more chunks; return the number of chunks expected before."""
        before, self._total = self._total, self._total + total
        return before

    def begin(self, n: int, id: str, fun: str) -> Callable[[bytes], None]:
        """Record that a chunk begins; return a function that receives the output of its programs."""
        running = self._running[n] = _Running(n, hide(id)[:MAX_NAME], fun[:MAX_NAME], self._now())
        self._changed()

        def take(data: bytes) -> None:
            running.tail = (running.tail + data[-TAIL:])[-TAIL:]
            if not self._has_output:
                self._has_output = True
                self._on_change()

        return take

    def end(self, n: int, id: str, fun: str, place: str, ret: StateReturn) -> None:
        """Record that a chunk has ended or was skipped."""
        running = self._running.pop(n, None)
        ms = ret.get("duration")
        # A state may return no duration, or an invalid one.
        if not isinstance(ms, (int, float)) or not 0 <= ms < MOST_MS:
            ms = (self._now() - running.since) * 1000 if running else 0
        step: Step = {
            "n": n,
            "id": hide(id)[:MAX_NAME],
            "fun": fun[:MAX_NAME],
            "place": place[:MAX_NAME],
            "verdict": verdict_of(ret),
            "ms": round(ms),
        }
        size = _size(step)
        self._done.append((size, step))
        self._held += size
        while self._held > MAX_BYTES - _RESERVE:
            self._held -= self._done.popleft()[0]
            self._lost += 1
        self._changed()

    @property
    def total(self) -> int:
        """Number of chunks expected so far."""
        return self._total

    @property
    def is_waiting(self) -> bool:
        """Whether there is output that has not been sent because the last event was too recent."""
        return self._has_output

    def take(self) -> StepEvent | None:
        """Return the steps since the last event, or None if there is nothing to send yet."""
        now = self._now()
        is_late = not self._taken_at <= now < self._taken_at + LINE_INTERVAL
        if not self._is_changed and not (self._has_output and is_late):
            return None
        self._is_changed = self._has_output = False
        self._taken_at = now
        done = []
        while self._done:
            size, step = self._done.popleft()
            self._held -= size
            done.append(step)
        event: StepEvent = {"total": self._total, "done": done, "now": self._current()}
        if self._lost:
            event["lost"], self._lost = self._lost, 0
        return event

    def _current(self) -> CurrentStep | None:
        """Return the chunk that has been running longest."""
        # Iterate over a copy, because parallel chunks of a plain call run in other threads.
        running = next(iter(list(self._running.values())), None)
        if running is None:
            return None
        return {
            "n": running.n,
            "id": running.id,
            "fun": running.fun,
            "since": round(running.since, 3),
            "line": last_line(running.tail),
        }

    def _changed(self) -> None:
        # Wake the sender only once per event, because waking it costs more than a step.
        if not self._is_changed:
            self._is_changed = True
            self._on_change()


def verdict_of(ret: StateReturn) -> str:
    """Return the verdict on a state's return."""
    result = ret.get("result")
    if result is False:
        return "failed"
    if result is None:
        return "would"
    if ret.get("changes"):
        return "changed"
    return "ok" if ret.get("__state_ran__", True) else "skipped"


def last_line(tail: bytes) -> str:
    """Return the last line with text at the end of some output, redacted and printable.

    A line whose beginning was cut off is skipped because a secret in it could not be recognized.
    """
    lines = _ENDS_OF_LINES.split(tail)
    if len(tail) >= TAIL:
        lines = lines[1:]
    for line in reversed(lines):
        text = "".join(
            char if char.isprintable() else " " for char in _ESCAPES.sub("", line.decode("utf-8", "replace"))
        ).strip()
        if text:
            return redacted(hide(text))[:MAX_LINE]
    return ""


def _size(step: Step) -> int:
    names = step["id"] + step["fun"] + step["place"]
    return _FRAME + (len(names) if names.isascii() else len(names.encode()))
