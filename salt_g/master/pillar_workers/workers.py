"""Pillar workers of a master: their requests, their restarts, and the requests of one that has ended.

A request of a worker that ended is given to another, alone, so that the one that ends workers is found; after
`TRIES` the minion gets an error. Where no worker can be started, the master compiles pillar itself, but never
a request that has ended a worker.
Bounds: `OPEN` requests wait or are compiled, further ones wait for them; each worker has `PLACES` at once.
Units: seconds.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gevent
import gevent.event
import gevent.lock
import gevent.queue

from salt_g.master.pillar_workers.worker_process import PLACES, WorkerProcess
from salt_g.master.serving.hub_pillars import PillarRequest
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import PillarDict

log = logging.getLogger(__name__)

#: Requests that are open at once.
OPEN = 1000
#: Workers that one request may end.
TRIES = 3
#: How often a waiting request looks whether any worker runs, and how long it waits at all.
LOOK = 5.0
LONGEST = 600.0
#: Pause before a restart, doubled each time up to the longest; a run of `GOOD_RUN` begins anew.
FIRST_PAUSE, LONGEST_PAUSE, GOOD_RUN = 0.1, 30.0, 10.0


class _Task:
    """Request on its way; `outcome` becomes the pillar, None when the master is to compile it."""

    def __init__(self, wanted: PillarRequest) -> None:
        self.wanted = wanted
        self.outcome: Any = gevent.event.AsyncResult()
        #: Number of workers that ended with it, and whether one has it now.
        self.tries = 0
        self.is_sent = False
        #: Places that it holds.
        self.places = 0


class PillarWorkers:
    """Pool of `number` workers with a master's settings; life: `start`, `stop`."""

    def __init__(
        self,
        number: int,
        opts: Mapping[str, Any],
        *,
        supervisor: Supervisor,
        made: Callable[..., WorkerProcess] = WorkerProcess,
        sleep: Callable[[float], object] = gevent.sleep,
    ) -> None:
        self._number = number
        self._opts = opts
        self._supervisor = supervisor
        self._made = made
        self._sleep = sleep
        self._numbers = itertools.count()
        self._open = gevent.lock.Semaphore(OPEN)
        #: (0 for a request that a worker ended with, else 1; number; task), the first next.
        self._waiting: Any = gevent.queue.PriorityQueue()
        self._keepers: list[Any] = []
        self._running: dict[int, WorkerProcess] = {}
        #: Workers that ended without a sign of life since one gave any.
        self._barren = 0

    @property
    def pids(self) -> list[int]:
        """Process ids of the running workers."""
        return [worker.pid for worker in self._running.values()]

    def start(self) -> None:
        """Start the workers, without waiting until they serve."""
        self._keepers = [
            self._supervisor.spawn(self._keep, slot, name=f"pillar worker {slot}")
            for slot in range(self._number)
        ]

    def stop(self) -> None:
        """End the workers; open requests are compiled by nobody any more."""
        gevent.killall(self._keepers)
        self._keepers = []

    def compiled(self, wanted: PillarRequest) -> PillarDict | None:
        """Return the pillar of a minion, None when the master is to compile it itself."""
        if not self._keepers or self._cannot_start():
            return None
        with self._open:
            task = _Task(wanted)
            self._wait_in_line(task)
            return self._outcome(task)

    def _cannot_start(self) -> bool:
        return self._barren > 0 and not any(worker.has_lived for worker in self._running.values())

    def _outcome(self, task: _Task) -> PillarDict | None:
        deadline = time.monotonic() + LONGEST
        while not task.outcome.ready():
            if task.outcome.wait(timeout=LOOK) is None and not task.outcome.ready():
                self._look_at(task, deadline)
        pillar: PillarDict | None = task.outcome.get()
        return pillar

    def _look_at(self, task: _Task, deadline: float) -> None:
        """Decide about a request that still has no answer."""
        if self._cannot_start() and not task.tries:
            log.warning("%s: no pillar worker can be started; the master compiles its pillar", task.wanted.id)
            task.outcome.set(None)
        elif time.monotonic() >= deadline:
            task.outcome.set(_failed(task.wanted.id, f"took a pillar worker longer than {LONGEST:g} s"))

    def _wait_in_line(self, task: _Task) -> None:
        self._waiting.put((0 if task.tries else 1, next(self._numbers), task))

    def _keep(self, slot: int) -> None:
        """Keep one worker running."""
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            self._run_one(slot)
            pause = FIRST_PAUSE if time.monotonic() - began >= GOOD_RUN else pause
            self._sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _run_one(self, slot: int) -> None:
        """Run a worker to its end; give its open requests to others."""
        tasks: dict[int, _Task] = {}
        worker: WorkerProcess = self._made(
            self._opts, lambda number, pillar: self._answer(worker, tasks, number, pillar)
        )
        try:
            worker.start()
            self._running[slot] = worker
            log.info("pillar worker %d starts", worker.pid)
            with self._helped(worker, tasks):
                worker.run()
        except (OSError, ValueError) as exc:
            log.error("pillar worker: %s", exc)
        finally:
            self._running.pop(slot, None)
            self._barren = 0 if worker.has_lived else self._barren + 1
            code = worker.end()
            for task in tasks.values():
                self._give_back(task)
        log.error("a pillar worker has ended (%s) and is restarted", _reason(code))

    @contextlib.contextmanager
    def _helped(self, worker: WorkerProcess, tasks: dict[int, _Task]) -> Iterator[None]:
        """Feed a worker, write its log, look for signs of life."""
        helpers = [
            self._supervisor.spawn(self._feed, worker, tasks, name="pillar worker feeder"),
            self._supervisor.spawn(worker.relay_log, name="pillar worker log"),
            self._supervisor.spawn(_quietly, worker.watch, name="pillar worker watch"),
        ]
        try:
            yield
            # Its last words may say why it ended.
            helpers[1].join(timeout=1.0)
        finally:
            gevent.killall(helpers)

    def _feed(self, worker: WorkerProcess, tasks: dict[int, _Task]) -> None:
        """Send requests to a worker, as many as have places; one that ended another alone."""
        while True:
            worker.places.acquire()
            task = self._waiting.get()[-1]
            task.places = 1
            number = next(self._numbers)
            # From now on it is given back when the worker ends.
            tasks[number] = task
            while task.tries and task.places < PLACES:
                worker.places.acquire()
                task.places += 1
            if task.outcome.ready():
                self._release(worker, tasks.pop(number))
                continue
            task.is_sent = True
            try:
                worker.send(number, task.wanted)
            except OSError:
                return

    def _answer(
        self, worker: WorkerProcess, tasks: dict[int, _Task], number: int, pillar: PillarDict | None
    ) -> None:
        task = tasks.pop(number, None)
        if task is None:
            return
        self._release(worker, task)
        if not task.outcome.ready():
            task.outcome.set(pillar)

    def _release(self, worker: WorkerProcess, task: _Task) -> None:
        for _ in range(task.places):
            worker.places.release()

    def _give_back(self, task: _Task) -> None:
        """Put a request of a worker that has ended in front of the others, or give it up."""
        if task.outcome.ready():
            return
        task.tries += task.is_sent
        task.is_sent = False
        if task.tries < TRIES:
            self._wait_in_line(task)
            return
        log.error("%s: its pillar ended %d pillar workers and is given up", task.wanted.id, task.tries)
        task.outcome.set(_failed(task.wanted.id, f"ended {task.tries} pillar workers"))


def _failed(id: str, what: str) -> PillarDict:
    """Return the pillar that says why there is none; states refuse to run with it."""
    return {"_errors": [f"Rendering the pillar of '{id}' {what}. Please see master log for details."]}


def _quietly(watch: Callable[[], None]) -> None:
    """Watch a worker until its socket closes, which `run` reports."""
    with contextlib.suppress(OSError):
        watch()


def _reason(code: int | None) -> str:
    if code is None:
        return "it could not be started"
    return f"signal {-code}" if code < 0 else f"exit code {code}"
