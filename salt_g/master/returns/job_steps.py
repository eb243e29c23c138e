"""Live steps of running jobs, of which the newest are kept for late subscribers.

Stock's minions report no steps, but they can report the progress of their states (`state_events`); this
master fires it as step events.
Shapes: `shapes/steps.py`.
Units: seconds.
Bounds: `MAX_JOBS` jobs, of which `report/step_board.py` keeps the newest steps; `MAX_MINIONS` minions in all
jobs. Beyond that, the jobs that have been idle for the longest time are forgotten.
Source: wire specification, section 11.6.
"""

from __future__ import annotations

import collections
import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

import gevent
import gevent.event

from salt_g.errors import StoreError, WireError
from salt_g.event import tags
from salt_g.event.bus import Bus, Subscription
from salt_g.event.ring import Event
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.report.step_board import StepBoard, read_event
from salt_g.report.step_feed import INTERVAL, StepFeed

if TYPE_CHECKING:
    from salt_g.shapes import StateReturn
    from salt_g.shapes.steps import StepEvent

log = logging.getLogger(__name__)

#: Maximum number of jobs, and of minions in all jobs together.
MAX_JOBS = 100
MAX_MINIONS = 50_000
#: Kinds of step events: salt-g's own, and stock's.
STEP, PROGRESS = "step", "prog"


class JobSteps:
    """Steps by job. `expects(jid, id)` returns whether a job was published to a minion; raises StoreError.

    Lifecycle: `start`, ended by its supervisor.
    """

    def __init__(
        self,
        bus: Bus,
        *,
        expects: Callable[[str, str], bool],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._bus = bus
        self._expects = expects
        self._clock = clock
        self._boards: collections.OrderedDict[str, StepBoard] = collections.OrderedDict()
        self._own: set[tuple[str, str]] = set()
        self._feeds: dict[tuple[str, str], StepFeed] = {}
        self._has_progress: Any = gevent.event.Event()

    def start(self, supervisor: Supervisor) -> None:
        """Start collecting steps."""
        events = self._bus.subscribe_by(is_about_steps, name="job steps")
        supervisor.spawn(self._follow, events, name="job steps")
        mapping = PeriodicLoop("progress as steps", self._map_gathered, 0.0)
        supervisor.spawn(mapping.run, name=mapping.name)

    def of(self, jid: str) -> dict[str, StepEvent]:
        """Return the known steps of a job: one event for each minion that has reported any."""
        board = self._boards.get(jid)
        return {} if board is None else board.as_events()

    def _follow(self, events: Subscription) -> None:
        """Collect steps as they arrive, until the subscription ends."""
        for event in events:
            _, _, jid, kind, id, *_ = event.tag.split("/")
            try:
                if self._expects(jid, id):
                    self._take(jid, kind, id, event)
            except StoreError as exc:
                log.debug("%s: steps of %s are not kept: %s", jid, id, exc)
            # Guard around one event of one minion.
            except Exception:
                log.exception("%s: steps of %s cannot be read", jid, id)

    def _map_gathered(self) -> None:
        """Wait for state progress of minions that report no steps, and fire it as their steps."""
        self._has_progress.wait()
        self._has_progress.clear()
        # Pause first, because a minion that reports steps may do so a moment after its first progress event.
        gevent.sleep(INTERVAL)
        feeds, self._feeds = self._feeds, {}
        for (jid, id), feed in feeds.items():
            event = feed.take()
            if event is not None and (jid, id) not in self._own:
                self._fire(jid, id, event)

    def _take(self, jid: str, kind: str, id: str, event: Event) -> None:
        if kind == STEP:
            steps = read_event(event.data)
            if steps is not None:
                self._keep(jid, id, steps, is_mapped=bool(event.data.get("mapped")))
        elif (jid, id) not in self._own:
            self._map(jid, id, event.data)

    def _keep(self, jid: str, id: str, event: StepEvent, *, is_mapped: bool) -> None:
        board = self._boards.setdefault(jid, StepBoard(self._clock))
        self._boards.move_to_end(jid)
        if not is_mapped and (jid, id) not in self._own:
            self._own.add((jid, id))
            board.restart(id)
        board.take(id, event)
        self._forget()

    def _map(self, jid: str, id: str, data: Mapping[str, Any]) -> None:
        """Add the progress of a state to its minion's next step event."""
        body = data.get("data", data)
        ret: Any = body.get("ret") if isinstance(body, Mapping) else None
        if not _is_return(ret):
            return
        total, number = body.get("len"), ret.get("__run_num__")
        if type(number) is not int or not 0 <= number < 1_000_000:
            return
        feed = self._feeds.setdefault((jid, id), StepFeed())
        if feed.total == 0 and type(total) is int:
            feed.begin_run(max(0, total))
        name, fun = str(ret.get("__id__") or ret.get("name", "")), str(ret.get("__fun__", ""))
        feed.end(number + 1, name, fun, str(ret.get("__sls__") or ""), ret)
        self._has_progress.set()

    def _fire(self, jid: str, id: str, event: StepEvent) -> None:
        try:
            self._bus.fire(tags.job_step(jid, id), {**event, "mapped": True})
        except WireError as exc:
            log.warning("%s: cannot fire the steps of %s: %s", jid, id, exc)

    def _forget(self) -> None:
        """Forget the jobs that have been idle for the longest time, beyond the bounds."""
        minions = sum(len(board.minions) for board in self._boards.values())
        while len(self._boards) > 1 and (len(self._boards) > MAX_JOBS or minions > MAX_MINIONS):
            jid, board = self._boards.popitem(last=False)
            minions -= len(board.minions)
            self._own.difference_update((jid, id) for id in board.minions)


def _is_return(value: object) -> TypeGuard[StateReturn]:
    return isinstance(value, dict)


def is_about_steps(tag: str) -> bool:
    """Return whether an event with this tag is about a minion's steps."""
    parts = tag.split("/", 5)
    return len(parts) > 4 and parts[0] == "salt" and parts[1] == "job" and parts[3] in (STEP, PROGRESS)
