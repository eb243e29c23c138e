"""Run a job on some minions at a time.

Why its own file: our master runs batches itself (`master/publishing/batches.py`) and a client does it
beside a stock
master; both with this. `BatchWindow` decides, with no clock and no link of its own; `run_batch` drives it.
Shapes: all slices are one job with one jid.
Units: seconds.
Source: stock's `--batch-size`; a minion that does not answer the ping at the start gets no job.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.client.job_tracker import JobTracker, Return
from salt_g.client.publishing import JobRequest, Published
from salt_g.data import jid as jids
from salt_g.errors import ClientError

if TYPE_CHECKING:
    from salt_g.client.jobs import JobClient

#: How long one look at all slices waits (s).
PAUSE = 0.05


class Batch(NamedTuple):
    """The rules: how many at a time (`3` or `10%`), a pause behind each return, end at the first failure."""

    size: str
    wait: float = 0.0
    failhard: bool = False


class Step(NamedTuple):
    """Something that a batch tells besides returns: exactly one part is not empty."""

    #: Who answered the ping, and who did not.
    found: tuple[list[str], list[str]] | None = None
    #: The minions of a slice that was published now.
    started: list[str] = []
    #: A minion that got the job and did not return.
    silent: str = ""
    #: Why the batch ended early.
    halted: str = ""


def size_of(size: str, count: int) -> int:
    """Return how many of `count` minions `3` or `10%` is, at least one; raises ClientError."""
    try:
        if "%" in size:
            part = float(size.strip("%")) / 100.0 * count
            return max(1, math.ceil(part) if part < 1 else int(part))
        return max(1, int(size))
    except ValueError:
        raise ClientError(
            f"Invalid batch data sent: {size}\nData must be in the form of %10, 10% or 3"
        ) from None


class BatchWindow:
    """Who of a batch is waiting, at work, or done."""

    def __init__(self, minions: Iterable[str], rules: Batch) -> None:
        self.waiting = collections.deque(minions)
        self.at_work: set[str] = set()
        self.done: dict[str, int] = {}
        self.halted = ""
        self._rules = rules
        self._size = size_of(rules.size, len(self.waiting))
        self._resting: list[float] = []

    def take(self, now: float) -> list[str]:
        """Return whom to give the job now; they count as at work."""
        self._resting = [until for until in self._resting if until > now]
        free = self._size - len(self.at_work) - len(self._resting)
        count = 0 if self.halted else max(0, min(free, len(self.waiting)))
        taken = [self.waiting.popleft() for _ in range(count)]
        self.at_work.update(taken)
        return taken

    def end(self, id: str, retcode: int, now: float, *, is_silent: bool = False) -> None:
        """Note that a minion is done; a silent one does not count as a failure for `failhard`."""
        self.at_work.discard(id)
        self.done[id] = retcode
        if self._rules.wait:
            self._resting.append(now + self._rules.wait)
        if self._rules.failhard and retcode and not is_silent:
            self.halted = "failhard"

    def is_over(self) -> bool:
        """Return whether nothing will change any more."""
        return bool(self.halted) or not (self.waiting or self.at_work)


def run_batch(
    client: JobClient,
    job: JobRequest,
    rules: Batch,
    *,
    timeout: float | None = None,
    jid: str = "",
    gather_job_timeout: float | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
    **extra: Any,
) -> Iterator[Return | Step]:
    """Ping the target, then run the job slice by slice; yield what happens as it happens."""
    size_of(rules.size, 1)
    found, down = _ping(client, job, timeout, gather_job_timeout, extra)
    yield Step(found=(found, down))
    slots = BatchWindow(found, rules)
    jid = jid or job.jid or jids.make()
    watches: list[JobTracker] = []
    while not slots.is_over():
        if is_stopped():
            slots.halted = "stop"
            break
        started = slots.take(client.clock())
        if started:
            published = client.publish(job._replace(tgt=started, tgt_type="list", jid=jid), **extra)
            # Whoever lost its key meanwhile gets no job, and is silent.
            jid = published.jid if published else jid
            watches.append(
                client.watch_of(Published(jid, started), timeout, gather_job_timeout, is_closed=True)
            )
            yield Step(started=started)
        yield from _next_returns(client, watches, slots)
        yield from _given_up(client, watches, slots, extra)
    if slots.halted:
        yield Step(halted=slots.halted)


def _next_returns(client: JobClient, watches: list[JobTracker], slots: BatchWindow) -> Iterator[Return]:
    """Yield the returns that have come, waiting a moment for the first event."""
    event = client.link.next_event(PAUSE)
    while event is not None and not slots.halted:
        now = client.clock()
        for watch in watches:
            one = watch.take(event, now)
            if one is not None:
                slots.end(one.id, one.retcode, now)
                yield one
        event = client.link.next_event(0)


def _given_up(
    client: JobClient,
    watches: list[JobTracker],
    slots: BatchWindow,
    extra: dict[str, Any],
) -> Iterator[Step]:
    """Ask the minions of slices that are late; yield those that nobody waits for any more."""
    for watch in list(watches):
        now = client.clock()
        if watch.is_over(now):
            watches.remove(watch)
            for id in sorted(watch.open()):
                slots.end(id, 0, now, is_silent=True)
                yield Step(silent=id)
        elif watch.is_asked_for(now):
            jid, away = client.ask_running(watch.jid, sorted(watch.open()), **_auth(extra))
            watch.asked(jid, client.clock(), away=away)


def _auth(extra: dict[str, Any]) -> dict[str, Any]:
    """Return what proves who asks."""
    return {
        name: value for name, value in extra.items() if name in ("eauth", "username", "password", "token")
    }


def _ping(
    client: JobClient, job: JobRequest, timeout: Any, gather: Any, extra: dict[str, Any]
) -> tuple[list[str], list[str]]:
    """Return (who of the target is there, who is not)."""
    auth = _auth(extra)
    delimiter = {"delimiter": extra["delimiter"]} if "delimiter" in extra else {}
    published = client.publish(JobRequest(job.tgt, "test.ping", [], job.tgt_type), **auth, **delimiter)
    if published is None:
        return [], []
    there = [
        one.id
        for one in client.collect(published, timeout=timeout, gather_job_timeout=gather, **auth)
        if one is not None
    ]
    return there, sorted(set(published.minions) - set(there))
