"""Reactor: events start reactor files, whose calls run in the background.

It subscribes, renders, and queues calls for workers; `event/reactor_table.py` maps events to files,
`reactor_rendering.py` renders them, `reaction.py` reads their data.
Bounds: at most `reactor_worker_hwm` calls wait, and further ones are dropped, counted and logged;
`reactor_worker_threads` calls run at once.
Source: stock docs "Reactor System"; events `salt/reactors/manage/*`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import gevent.queue

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import CompileError, SaltGError
from salt_g.event.bus import Bus
from salt_g.event.reactor_table import ReactorTable
from salt_g.event.ring import Event
from salt_g.master.background.reaction import Reaction, reactions_of
from salt_g.master.background.reactor_rendering import files_of, rendered
from salt_g.master.settings import ReactorSettings
from salt_g.process.offload import yield_to_hub
from salt_g.process.supervisor import Supervisor
from salt_g.services.daemons import Calls
from salt_g.shapes import MasterCall
from salt_g.shapes.loads import EventFields, SetResult

log = logging.getLogger(__name__)

#: Maximum total size of the events whose reactions wait or run (bytes).
MAX_BYTES = 64 * 1024 * 1024

#: User of the runner and wheel calls; events of this user start no reactions, which prevents loops.
USER = "Reactor"
_MANAGE = "salt/reactors/manage/"
#: Tags of the requests that `reactor.*` runners send.
_QUESTIONS = frozenset(_MANAGE + word for word in ("add", "delete", "list", "is_leader", "set_leader"))


class Reactor:
    """Reactor on one bus, from `start` until its supervisor stops.

    `context()` creates the context in which files are rendered (and `caller` reactions run);
    `make_client(user)` returns a client that publishes (`cmd_async`), `calls` runs runner and wheel
    functions.
    """

    def __init__(
        self,
        settings: ReactorSettings,
        *,
        bus: Bus,
        make_client: Callable[[str], Any],
        calls: Calls,
        context: Callable[[], CallContext],
        supervisor: Supervisor,
    ) -> None:
        self.reactions = ReactorTable(settings.reactor)
        self.dropped = 0
        self.is_leader = True
        self._bus = bus
        self._id = settings.id
        self._user = settings.user
        self._make_client = make_client
        self._calls = calls
        self._context = context
        self._supervisor = supervisor
        self._workers = settings.reactor_worker_threads
        self._held = 0
        self._queue: Any = gevent.queue.Queue(settings.reactor_worker_hwm)

    def start(self) -> None:
        """Start reacting; without reactions, only answer `reactor.*` runners."""
        for problem in self.reactions.problems:
            log.error("%s", problem)
        watch = self._bus.subscribe_by(self._is_wanted, name="reactor", is_own=True)
        self._supervisor.spawn(self._follow, watch, name="reactor")
        for number in range(self._workers):
            self._supervisor.spawn(self._work, name=f"reactor worker {number}")

    def __len__(self) -> int:
        """Return the number of waiting calls."""
        return int(self._queue.qsize())

    def react(self, event: Event) -> None:
        """Queue the calls that an event starts."""
        data = event.data
        if data.get("user") == USER or not self.is_leader:
            return
        for reaction in self._reactions_to(event.tag, data):
            if self._queue.full() or self._held + len(event.body) > MAX_BYTES:
                self._drop(reaction)
                continue
            # A queued reaction keeps the data of its event in memory.
            self._held += len(event.body)
            self._queue.put_nowait((reaction, len(event.body)))

    def manage(self, event: Event) -> None:
        """Answer a `reactor.*` runner."""
        word = event.tag[len(_MANAGE) :]
        data = event.data
        if word == "list":
            self._bus.fire(f"{_MANAGE}list-results", {"reactors": self.reactions.entries()})
        elif word in ("add", "delete"):
            tag = str(data.get("event", ""))
            done = self.reactions.delete(tag) if word == "delete" else self._add(tag, data.get("reactors"))
            self._bus.fire(
                f"{_MANAGE}{word}-complete", {"reactors": self.reactions.entries(), "result": done}
            )
        else:
            if word == "set_leader" and data.get("id") == self._id:
                self.is_leader = bool(data.get("value"))
            self._bus.fire(f"{_MANAGE}leader/value", {"result": self.is_leader})

    def _is_wanted(self, tag: str) -> bool:
        return tag in _QUESTIONS or bool(self.reactions.matching(tag))

    def _follow(self, watch: Any) -> None:
        for event in watch:
            if event.tag in _QUESTIONS:
                self.manage(event)
            else:
                self.react(event)
                yield_to_hub()

    def _add(self, tag: str, files: Any) -> SetResult:
        return self.reactions.add(tag, files if isinstance(files, list) else [str(files)])

    def _reactions_to(self, tag: str, data: EventFields) -> list[Reaction]:
        """Return the reactions to an event; an error in one file discards them all, as in stock."""
        found: list[Reaction] = []
        try:
            with api.use(self._context()):
                for reference in self.reactions.matching(tag):
                    for path in files_of(reference, tag):
                        found += reactions_of(rendered(path, tag, data), path)
        except CompileError as exc:
            for message in exc.messages:
                log.error("reactor: %s: %s", tag, message)
            return []
        # A template may run any code of its author; an event must not end the reactor.
        except (Exception, SystemExit) as exc:
            log.error("reactor: %s: cannot render: %s", tag, exc, exc_info=not isinstance(exc, SaltGError))
            return []
        return found

    def _drop(self, reaction: Reaction) -> None:
        self.dropped += 1
        # Logged at growing intervals, so that a flood of events does not flood the log as well.
        if self.dropped & (self.dropped - 1) == 0:
            log.error(
                "reactor: queue is full, %d reactions dropped so far (now %s %s); "
                "raise reactor_worker_threads or reactor_worker_hwm",
                *(self.dropped, reaction.kind, reaction.fun),
            )

    def _work(self) -> None:
        # Not as `USER`, because returns name the user of a job, and the returns of these jobs may start
        # reactions.
        client = self._make_client(self._user)
        while True:
            reaction, size = self._queue.get()
            try:
                self._run(reaction, client)
            # Guard around a plugin call or a refused publication: the next reaction runs.
            except (Exception, SystemExit) as exc:
                log.error("reactor: %s: %s %s failed: %s", reaction.id, reaction.kind, reaction.fun, exc)
            finally:
                self._held -= size

    def _run(self, reaction: Reaction, client: Any) -> None:
        if reaction.kind == "local":
            how = dict(reaction.how)
            tgt = how.pop("tgt")
            client.cmd_async(tgt, reaction.fun, arg=reaction.args, kwarg=reaction.kwargs, **how)
        elif reaction.kind == "caller":
            with api.use(self._context()):
                api.call(reaction.fun, *reaction.args, **reaction.kwargs)
        else:
            self._calls.run(MasterCall(reaction.kind, reaction.fun, reaction.args, reaction.kwargs, USER))
