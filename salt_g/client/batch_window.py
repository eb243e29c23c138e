"""Batches: a job run on a limited number of minions at a time.

Our master runs batches itself (`master/publishing/batches.py`); with a stock master the client does. Both use
this file. `BatchWindow` makes the decisions, without clock or connection; `run_batch` drives it.
Shapes: all slices are one job with one jid.
Units: seconds.
Source: stock's `--batch-size`; a minion that does not answer the initial ping gets no job.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g.client.publishing import JobRequest, Published
from salt_g.client.return_collector import Return, ReturnCollector
from salt_g.data import jid as jids
from salt_g.errors import ClientError

if TYPE_CHECKING:
    from salt_g.client.jobs import JobClient
    from salt_g.shapes.loads import ClientFields

#: Timeout of one poll of all slices (s).
PAUSE = 0.05
#: Answers of a batch's gate: start no more minions for now, or at all. Minions that have started are still
#: waited for.
HOLD, CLOSE = "hold", "close"


class Batch(NamedTuple):
    """Rules of a batch: window size (`3` or `10%`), delay after each return, stop at the first failure."""

    size: str
    wait: float = 0.0
    failhard: bool = False


class BatchStep(NamedTuple):
    """Progress of a batch other than returns; exactly one field is set."""

    #: Minions that answered the ping, and those that did not.
    found: tuple[list[str], list[str]] | None = None
    #: Minions of the slice just published.
    started: list[str] = []
    #: Minion that was sent the job and did not return.
    silent: str = ""
    #: Reason for an early end of the batch.
    halted: str = ""


class EarlierBatch(NamedTuple):
    """State of a batch that is resumed: minions that answered the ping, and those that did not.

    `sent` are minions that got the job, `returns` the returns that are stored.
    """

    found: tuple[list[str], list[str]]
    sent: set[str]
    returns: Iterable[Return]


def size_of(size: str, count: int) -> int:
    """Return how many of `count` minions a size such as `3` or `10%` is, at least 1; raises ClientError."""
    try:
        if "%" in size:
            part = float(size.strip("%")) / 100.0 * count
            return max(1, math.ceil(part) if part < 1 else int(part))
        return max(1, int(size))
    # `inf%` is parsed as a number, too, but overflows.
    except (ValueError, OverflowError):
        raise ClientError(
            f"Invalid batch data sent: {size}\nData must be in the form of %10, 10% or 3"
        ) from None


class BatchWindow:
    """Minions of a batch: waiting, running or done."""

    def __init__(self, minions: Iterable[str], rules: Batch) -> None:
        self.waiting = collections.deque(minions)
        self.at_work: set[str] = set()
        self.done: dict[str, int] = {}
        self.halted = ""
        self._rules = rules
        self._size = size_of(rules.size, len(self.waiting))
        self._resting: list[float] = []

    def take(self, now: float) -> list[str]:
        """Return the minions to publish the job to now; they count as running."""
        self._resting = [until for until in self._resting if until > now]
        free = self._size - len(self.at_work) - len(self._resting)
        count = 0 if self.halted else max(0, min(free, len(self.waiting)))
        taken = [self.waiting.popleft() for _ in range(count)]
        self.at_work.update(taken)
        return taken

    def resume(self, sent: set[str]) -> list[str]:
        """Skip minions that are done; return those that already have the job, which count as running."""
        self.waiting = collections.deque(id for id in self.waiting if id not in self.done)
        self.at_work.update(id for id in self.waiting if id in sent)
        self.waiting = collections.deque(id for id in self.waiting if id not in sent)
        return sorted(self.at_work)

    def end(self, id: str, retcode: int, now: float, *, is_silent: bool = False) -> None:
        """Mark a minion as done; a silent minion does not count as a failure for `failhard`."""
        self.at_work.discard(id)
        self.done[id] = retcode
        if self._rules.wait:
            self._resting.append(now + self._rules.wait)
        if self._rules.failhard and retcode and not is_silent:
            self.halted = "failhard"

    def is_over(self) -> bool:
        """Return whether the batch has ended."""
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
    gate: Callable[[], str] = lambda: "",
    earlier: EarlierBatch | None = None,
    **extra: Any,
) -> Iterator[Return | BatchStep]:
    """Ping the target, then run the job slice by slice; yield returns and steps as they happen.

    With `earlier`, resume the batch `jid` and yield its known returns first. `gate` is called before each
    slice; it can hold the batch (HOLD) or drop the minions that are still waiting (CLOSE).
    """
    size_of(rules.size, 1)
    found, down = earlier.found if earlier else ping_target(client, job, timeout, gather_job_timeout, extra)
    yield BatchStep(found=(found, down))
    slots = BatchWindow(found, rules)
    jid = jid or job.jid or jids.make()
    watches: list[ReturnCollector] = []

    def follow(ids: list[str]) -> None:
        watches.append(client.watch_of(Published(jid, ids), timeout, gather_job_timeout, is_closed=True))

    if earlier:
        yield from _known_returns(client, earlier, slots)
        if running := slots.resume(earlier.sent):
            follow(running)
            yield BatchStep(started=running)
    while not slots.is_over():
        if is_stopped():
            slots.halted = "stop"
            break
        passage = gate() if slots.waiting else ""
        if passage == CLOSE:
            slots.waiting.clear()
            continue
        started = [] if passage == HOLD else slots.take(client.clock())
        if started:
            published = client.publish(job._replace(tgt=started, tgt_type="list", jid=jid), **extra)
            # A minion whose key was deleted meanwhile gets no job and counts as silent.
            jid = published.jid if published else jid
            follow(started)
            yield BatchStep(started=started)
        yield from _next_returns(client, watches, slots)
        yield from _given_up(client, watches, slots, extra)
    if slots.halted:
        yield BatchStep(halted=slots.halted)


def _known_returns(client: JobClient, earlier: EarlierBatch, slots: BatchWindow) -> Iterator[Return]:
    now = client.clock()
    for one in earlier.returns:
        slots.end(one.id, one.retcode, now)
        yield one


def _next_returns(client: JobClient, watches: list[ReturnCollector], slots: BatchWindow) -> Iterator[Return]:
    """Yield returns that have arrived, waiting briefly for the first event."""
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
    watches: list[ReturnCollector],
    slots: BatchWindow,
    extra: ClientFields,
) -> Iterator[BatchStep]:
    """Ask the minions of late slices whether they still run the job; yield a step for each one given up."""
    for watch in list(watches):
        now = client.clock()
        if watch.is_over(now):
            if watch.wait_for(client.find_moving(watch.jid, sorted(watch.open())), now):
                continue
            watches.remove(watch)
            for id in sorted(watch.open()):
                slots.end(id, 0, now, is_silent=True)
                yield BatchStep(silent=id)
        elif watch.is_asked_for(now):
            watch.asked(client.ask_running(watch.jid, sorted(watch.open()), **_auth(extra)), client.clock())


def _auth(extra: ClientFields) -> ClientFields:
    """Return the credentials of the caller."""
    return {
        name: value for name, value in extra.items() if name in ("eauth", "username", "password", "token")
    }


def ping_target(
    client: JobClient, job: JobRequest, timeout: Any, gather: Any, extra: ClientFields
) -> tuple[list[str], list[str]]:
    """Ping the target; return (minions that answered, minions that did not)."""
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
