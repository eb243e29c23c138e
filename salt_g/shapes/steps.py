"""Types of live steps: reports of a minion about a state run in progress.

Units: `ms` in milliseconds, `since` in seconds since the epoch by the minion's clock.
Source: wire specification, section 11.6.
"""

from typing import TypedDict


class Step(TypedDict):
    """Chunk that has ended. `n` counts the chunks of the run from 1, in running order.

    `verdict` is one of `ok`, `changed`, `failed`, `skipped`, `would` (it would change something, in test
    mode). `place` is the URL of the SLS file, followed by `:` and the line of the ID if that is known; '' if
    the file is unknown, too.
    """

    n: int
    id: str
    fun: str
    place: str
    verdict: str
    ms: int


class CurrentStep(TypedDict):
    """Chunk that is running; `line` is the last line of its programs' output, or '' if there is none."""

    n: int
    id: str
    fun: str
    since: float
    line: str


class StepEvent(TypedDict, total=False):
    """Data of the event `salt/job/<jid>/step/<id>`: what has happened since the previous event.

    `lost` counts the ended chunks that were dropped (missing: none); `mapped` marks an event that the
    master derived from progress events.
    """

    total: int
    done: list[Step]
    now: CurrentStep | None
    lost: int
    mapped: bool


class EventReply(TypedDict, total=False):
    """Answer of a master to events: refused tags and, after steps, the next pause (s)."""

    refused: list[str]
    pause: float
