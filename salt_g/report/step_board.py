"""Steps of a job by minion, assembled from the events of its minions.

The command line shows them, and the master keeps them for clients that connect later. Events are validated
because they come from minions.
Shapes: `shapes/steps.py`.
Units: seconds; `now` is the time by the caller's clock.
Bounds: the newest `MAX_STEPS` ended steps of a job.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salt_g.shapes.steps import CurrentStep, Step, StepEvent

#: Maximum number of ended steps kept per job.
MAX_STEPS = 1000
#: Maximum length of names and lines in an event (characters).
MAX_TEXT = 200
#: Verdicts on an ended step.
VERDICTS = ("ok", "changed", "failed", "skipped", "would")
#: Maximum number of chunks or milliseconds that is accepted in an event.
_MOST = 10**9


class MinionSteps:
    """Progress of one minion: numbers of chunks, the current chunk, and when it was first reported."""

    __slots__ = ("current", "done", "failed", "heard", "last", "lost", "total")

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.failed = 0
        self.lost = 0
        self.current: CurrentStep | None = None
        self.last: Step | None = None
        #: When the current step was first reported, by our clock, because minions' clocks may be wrong.
        self.heard = 0.0

    @property
    def share(self) -> float:
        """Fraction of chunks that have ended, 0 if the total is unknown."""
        return self.done / self.total if self.total else 0.0

    def take(self, event: StepEvent, now: float) -> None:
        """Add the steps of an event."""
        current = event["now"]
        if current is not None and (self.current is None or self.current["n"] != current["n"]):
            self.heard = now
        self.current = current
        self.total = max(self.total, event["total"])
        self.lost += event.get("lost", 0)
        self.done += len(event["done"]) + event.get("lost", 0)
        self.failed += sum(step["verdict"] == "failed" for step in event["done"])
        if event["done"]:
            self.last = event["done"][-1]


class StepBoard:
    """Steps of one job; `steps` are the most recently ended ones, each with its minion."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.minions: dict[str, MinionSteps] = {}
        self.steps: collections.deque[tuple[str, Step]] = collections.deque(maxlen=MAX_STEPS)
        self._clock = clock

    def take(self, id: str, event: StepEvent) -> None:
        """Add an event of a minion, as returned by `read_event`."""
        self.minions.setdefault(id, MinionSteps()).take(event, self._clock())
        self.steps.extend((id, step) for step in event["done"])

    def restart(self, id: str) -> None:
        """Discard the steps of a minion."""
        self.minions.pop(id, None)
        kept = [(other, step) for other, step in self.steps if other != id]
        self.steps.clear()
        self.steps.extend(kept)

    def as_events(self) -> dict[str, StepEvent]:
        """Return one event for each minion with its known steps; dropped steps count as lost."""
        kept: dict[str, list[Step]] = {id: [] for id in self.minions}
        for id, step in self.steps:
            kept[id].append(step)
        return {id: _event_of(known, kept[id]) for id, known in self.minions.items()}

    def slowest(self, ids: Iterable[str]) -> str:
        """Return the minion with the smallest share done among `ids`, or '' if none of them is known."""
        known = [(self.minions[id].share, id) for id in ids if id in self.minions]
        return min(known)[1] if known else ""

    def text_of(self, id: str) -> str:
        """Return the progress of a minion: `41/80 pkg.installed nginx (14 s) "Unpacking libssl3"`."""
        known = self.minions[id]
        text = f"{known.done}/{known.total}"
        current = known.current
        if current is None:
            last = known.last
            return " ".join(filter(None, (text, last["fun"], last["id"]))) if last else text
        elapsed = max(0.0, self._clock() - known.heard)
        text += f" {current['fun']} {current['id']} ({elapsed:.0f} s)"
        return f'{text} "{current["line"]}"' if current["line"] else text


def _event_of(known: MinionSteps, done: list[Step]) -> StepEvent:
    current = known.current
    if current is not None:
        current = {**current, "since": known.heard}
    event: StepEvent = {"total": known.total, "done": done, "now": current}
    if known.done > len(done):
        event["lost"] = known.done - len(done)
    return event


def read_event(data: Any) -> StepEvent | None:
    """Validate a step event; return its known fields, or None if it is malformed."""
    if not isinstance(data, Mapping) or not isinstance(data.get("done"), (list, tuple)):
        return None
    total: Any = data.get("total")
    now = data.get("now")
    done = [_step(step) for step in data["done"][:MAX_STEPS]]
    current = None if now is None else _current(now)
    if not _is_count(total) or None in done or (now is not None and current is None):
        return None
    event: StepEvent = {"total": total, "done": [step for step in done if step], "now": current}
    if _is_count(data.get("lost")) and data["lost"]:
        event["lost"] = data["lost"]
    return event


def _step(step: Any) -> Step | None:
    if not _is_named(step) or not _is_count(step.get("ms")) or step.get("verdict") not in VERDICTS:
        return None
    return {
        "n": step["n"],
        "id": shown(step["id"]),
        "fun": shown(step["fun"]),
        "place": shown(step.get("place", "")),
        "verdict": step["verdict"],
        "ms": step["ms"],
    }


def _current(step: Any) -> CurrentStep | None:
    if not _is_named(step) or not isinstance(step.get("since"), (int, float)):
        return None
    since, line = float(step["since"]), step.get("line", "")
    return {
        "n": step["n"],
        "id": shown(step["id"]),
        "fun": shown(step["fun"]),
        "since": since,
        "line": shown(line),
    }


def _is_named(step: Any) -> bool:
    return (
        isinstance(step, Mapping)
        and _is_count(step.get("n"))
        and isinstance(step.get("id"), str)
        and isinstance(step.get("fun"), str)
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST


def shown(text: Any) -> str:
    """Return text that is safe for a terminal: one line of limited length without control characters."""
    cut = text[:MAX_TEXT] if isinstance(text, str) else ""
    return cut if cut.isprintable() else "".join(char if char.isprintable() else " " for char in cut)
