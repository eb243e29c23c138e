"""Collection of the returns of one job, with a verdict on each expected minion.

The command line, the Python API, batches, runners and orchestration all wait for jobs with this file; its
deadlines are in `job_timeout.py`.
Shapes: `ReturnCollector` holds the state of minions and takes events, without clock or connection; `collect`
drives it.
Units: seconds; timestamps come from the caller's clock.
Source: wire specification, section 13.3.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from salt_g.client.job_timeout import JobTimeout
from salt_g.client.link import Link, MasterEvent
from salt_g.report.step_board import StepBoard, read_event

if TYPE_CHECKING:
    from salt_g.shapes.loads import EventData, ReturnLoad, RunningJobLoad
    from salt_g.shapes.steps import StepEvent

#: Verdicts on a minion.
RETURNED = "returned"
FAILED = "failed"
RUNNING = "running"
NOT_CONNECTED = "not connected"
NOT_RUNNING = "refused"
NO_ANSWER = "no answer"

#: Time after which the master is asked which silent minions have no connection (s); most jobs end earlier.
LOOK_AFTER = 1.0
#: Timeout of one wait for an event if nothing else is due.
_LONGEST_WAIT = 60.0


class Return(NamedTuple):
    """Return of one minion (or resource); `data` is that of its event."""

    id: str
    data: ReturnLoad

    @property
    def retcode(self) -> int:
        """Return code; for several functions the highest."""
        code = self.data.get("retcode", 0)
        codes = code.values() if isinstance(code, dict) else code if isinstance(code, list) else [code]
        return max((int(one) for one in codes if isinstance(one, (int, bool))), default=0)


class RunProgress(NamedTuple):
    """Progress of a minion's state run from its events: states done, total, failed."""

    done: int = 0
    total: int = 0
    failed: int = 0

    @property
    def share(self) -> float:
        """Fraction done, 0 if unknown."""
        return self.done / self.total if self.total else 0.0


class RunningQuery(NamedTuple):
    """Query whether minions run a job: its jid ('' if none was sent), minions that seem away or are moving.

    Moving minions are on their way from a master that has ended to another one, and are waited for.
    """

    jid: str
    away: Collection[str] = ()
    moving: Collection[str] = ()


class ReturnCollector:
    """State of the minions of one job; `progress` has those that send progress events (`state_events`)."""

    def __init__(
        self,
        jid: str,
        minions: Iterable[str],
        *,
        timeout: float,
        gather_timeout: float,
        now: float,
        is_closed: bool = False,
    ) -> None:
        """Expect `minions`; each may take `timeout`, is then queried, and may take `gather_timeout` more.

        Other minions that return are added to the expected ones, unless `is_closed`.
        """
        self.jid = jid
        self.expected = set(minions)
        self.returns: dict[str, Return] = {}
        self.running: dict[str, RunningJobLoad] = {}
        self.progress: dict[str, RunProgress] = {}
        #: Live steps, and the function called with (minion, event) for each event about steps.
        self.steps = StepBoard()
        self.on_steps: Callable[[str, StepEvent], None] | None = None
        self._is_closed = is_closed
        self._timeout = JobTimeout(timeout=timeout, gather_timeout=gather_timeout, now=now)
        self._timeout.extend(self.expected, now)
        self._info_tag = ""
        self._idle: set[str] = set()
        self._away: set[str] = set()
        self._gone: set[str] = set()
        self._moving: set[str] = set()
        self._was_asked = False
        self._unknown: set[str] = set()

    def expect(self, minions: Iterable[str], now: float) -> None:
        """Wait for further minions, unless the set of minions is closed."""
        if not self._is_closed:
            further = set(minions) - self.expected
            self.expected |= further
            self._timeout.extend(further, now)

    def open(self) -> set[str]:
        """Return the minions that have not returned."""
        return self.expected - set(self.returns)

    def absent(self) -> list[str]:
        """Return the minions that did not return, including targeted ones whose keys the master lacks."""
        return sorted((self.expected | self._unknown) - set(self.returns))

    def is_complete(self) -> bool:
        """Return whether all minions have returned."""
        return len(self.returns) >= len(self.expected) and not self.open()

    def take(self, event: MasterEvent, now: float) -> Return | None:
        """Process an event; return it if it is a new return of this job."""
        if self._info_tag and event.tag.startswith(self._info_tag):
            self._take_info(event.data, now)
        elif event.tag.startswith(f"salt/job/{self.jid}/ret/") and "return" in event.data:
            data: Any = event.data
            return self._take_return(data)
        elif event.tag.startswith(f"salt/job/{self.jid}/prog/"):
            self._take_progress(event)
        elif event.tag.startswith(f"salt/job/{self.jid}/step/"):
            self.take_steps(event.tag.split("/")[4], event.data)
        elif event.tag == f"salt/job/{self.jid}/new":
            self.expect(event.data.get("minions") or (), now)
            self._unknown.update(map(str, event.data.get("missing") or ()))
        return None

    def is_asked_for(self, now: float) -> bool:
        """Return whether minions should now be asked whether they are running the job."""
        return self._timeout.is_query_due(now) and self._asks()

    def asked(self, query: RunningQuery, now: float) -> None:
        """Record a query of the minions."""
        self._info_tag = f"salt/job/{query.jid}/ret/" if query.jid else ""
        self._away = set(query.away) | self._gone
        self.running.clear()
        self._idle.clear()
        self._was_asked = True
        self._timeout.note_query(now, was_sent=bool(query.jid))
        self.wait_for(query.moving, now)

    def wait_for(self, moving: Collection[str], now: float) -> bool:
        """Wait for minions that are moving, and ask again after that; return whether there are any."""
        self._moving = self.open().intersection(moving)
        if self._moving:
            self._timeout.note_query(now)
            self._timeout.extend(self._moving, now)
        return bool(self._moving)

    def gone(self, ids: Iterable[str]) -> None:
        """Record minions that never got the job because they had no connection when it was published."""
        self._gone = set(ids) & self.open()
        self._away |= self._gone

    def waits_for_nobody(self) -> bool:
        """Return whether every minion has returned or is known not to have received the job."""
        return self.is_complete() or (bool(self._gone) and self.open() <= self._gone)

    def is_over(self, now: float) -> bool:
        """Return whether no minion is being waited for."""
        if self.is_complete():
            return True
        if self._asks() or not self._timeout.is_query_due(now):
            return False
        return self._timeout.is_over(self.open(), now)

    def next_moment(self) -> float:
        """Return the time of the next decision if no event arrives."""
        return self._timeout.next_moment(() if self._asks() else self.open())

    def verdict(self, id: str) -> str:
        """Return the verdict on a minion."""
        if id in self.returns:
            return FAILED if self.returns[id].retcode else RETURNED
        if id in self.running:
            return RUNNING
        if id in self._idle:
            return NOT_RUNNING
        return NOT_CONNECTED if id in self._away else NO_ANSWER

    def _asks(self) -> bool:
        """Return whether minions should be asked: at least once, then while one runs the job or moves."""
        return not self._was_asked or bool(self.running) or bool(self._moving)

    def _take_return(self, data: ReturnLoad) -> Return | None:
        id = data.get("resource_id") or data.get("id")
        if not isinstance(id, str) or id in self.returns or (self._is_closed and id not in self.expected):
            return None
        self.returns[id] = Return(id, data)
        self.running.pop(id, None)
        self._moving.discard(id)
        return self.returns[id]

    def _take_progress(self, event: MasterEvent) -> None:
        # Ids contain no slash; the rest is the number of the state.
        id, part = event.tag.split("/")[4], event.data.get("data", event.data)
        ret = part.get("ret") if isinstance(part, dict) else None
        if not isinstance(ret, dict) or id not in self.expected:
            return
        before, length = self.progress.get(id, RunProgress()), part.get("len")
        total = length if isinstance(length, int) else before.total
        self.progress[id] = RunProgress(before.done + 1, total, before.failed + (ret.get("result") is False))

    def take_earlier(
        self, returns: Mapping[str, ReturnLoad], steps: Mapping[str, object]
    ) -> Iterator[Return]:
        """Process the earlier returns and live steps of the job; yield the returns."""
        for id, data in returns.items():
            taken = self._take_return({**data, "id": id})
            if taken is not None:
                yield taken
        for id, event in steps.items():
            self.take_steps(id, event)

    def has_progress(self) -> bool:
        """Return whether a minion has reported progress."""
        return bool(self.progress or self.steps.minions)

    def take_steps(self, id: str, data: object) -> None:
        """Process live steps of a minion."""
        event = read_event(data) if id in self.expected else None
        if event is None:
            return
        self.steps.take(id, event)
        if self.on_steps is not None:
            self.on_steps(id, event)

    def failing(self) -> set[str]:
        """Return the minions that returned a failure or have a failed state so far."""
        returned = {id for id, one in self.returns.items() if one.retcode}
        behind = {id for id, one in self.progress.items() if one.failed}
        return returned | behind | {id for id, one in self.steps.minions.items() if one.failed}

    def _take_info(self, data: EventData, now: float) -> None:
        id, value = data.get("id"), data.get("return")
        if not isinstance(id, str) or id in self.returns or (self._is_closed and id not in self.expected):
            return
        if _is_running_job(value) and value:
            self.running[id] = value
            self.expect([id], now)
            self._timeout.extend([id], now)
            self._idle.discard(id)
        else:
            self.running.pop(id, None)
            self._idle.add(id)


#: Returns those of the given minions that certainly have no connection or are moving to another master.
FindGone = Callable[[list[str]], set[str]]
#: Asks minions whether they run the job.
AskRunning = Callable[[list[str]], RunningQuery]


def collect(
    link: Link,
    watch: ReturnCollector,
    ask_running: AskRunning,
    *,
    find_gone: FindGone | None = None,
    find_moving: FindGone | None = None,
    pause: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Return | None]:
    """Yield returns as they arrive, until all have arrived or the rest is given up.

    With `pause`, also yield None each time no return arrived for that long, whether or not minions send
    progress events. `find_gone` is called once, with the minions that have not returned after `LOOK_AFTER`;
    `find_moving` is called before minions are given up, because their master may have ended since they were
    asked.
    """
    shown = clock()
    look_at = math.inf if find_gone is None else shown + LOOK_AFTER
    while not watch.waits_for_nobody():
        now = clock()
        wait = _LONGEST_WAIT if pause is None else pause
        event = link.next_event(max(0.0, min(wait, watch.next_moment() - now, look_at - now)))
        now = clock()
        if find_gone is not None and now >= look_at:
            look_at = math.inf
            watch.gone(find_gone(sorted(watch.open())))
        if event is not None:
            taken = watch.take(event, now)
            if taken is not None:
                yield taken
            elif pause is not None and watch.has_progress() and now - shown >= pause:
                shown = now
                yield None
        elif watch.is_over(now) and not (
            find_moving is not None and watch.wait_for(find_moving(sorted(watch.open())), now)
        ):
            return
        # Checked while events arrive, too, because a busy job must not delay the query to silent minions.
        if watch.is_asked_for(now):
            watch.asked(ask_running(sorted(watch.open())), clock())
        elif event is None and pause is not None:
            yield None


def _is_running_job(value: object) -> TypeGuard[RunningJobLoad]:
    return isinstance(value, dict)
