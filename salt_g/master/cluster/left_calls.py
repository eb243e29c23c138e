"""Verdicts on the calls of masters that have ended: nobody waits for them without end.

A runner function or a batch belongs to its master and ends with it. The leader says so in its place: in the
job cache, and by the event that those who follow it wait for. What was begun is not done again.
Units: seconds.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.client.batch_link import event_of
from salt_g.client.batch_window import Step
from salt_g.cluster.running_calls import LeftCall, RunningCalls
from salt_g.errors import StoreError, WireError
from salt_g.event.bus import Bus
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.shapes.loads import JobLoad
from salt_g.wire.events import stamp

log = logging.getLogger(__name__)

#: Pause between two looks.
LOOK = 2.0


class LeftCalls:
    """Watcher of what masters leave behind. Life: `run` in a greenlet.

    `leads` returns whether this master decides.
    """

    def __init__(self, calls: RunningCalls, jobs: Jobs, bus: Bus, *, leads: Callable[[], bool]) -> None:
        self._calls = calls
        self._jobs = jobs
        self._bus = bus
        self._leads = leads

    def run(self) -> None:
        """Look for them until the greenlet ends."""
        PeriodicLoop("cluster calls", self._try_to_look, LOOK, first=LOOK).run()

    def look(self) -> None:
        """Give a verdict on each call whose master has ended; raise StoreError."""
        for call in self._calls.left() if self._leads() else ():
            log.warning("%s of master %s has ended with it", call.about["jid"], call.master)
            if "tag" in call.about:
                self._end_function(call)
            else:
                self._end_batch(call)
            self._calls.drop(call)

    def begin(self, jid: str, about: dict[str, Any]) -> None:
        """Note a call of this master; one that cannot be noted runs nevertheless."""
        try:
            self._calls.begin(jid, {**about, "jid": jid})
        except (StoreError, TimeoutError, WireError) as exc:
            log.warning("%s: other masters will not know that it ran: %s", jid, exc)

    def end(self, jid: str) -> None:
        """Note the end of a call of this master."""
        try:
            self._calls.end(jid)
        except StoreError as exc:
            log.warning("%s: other masters do not know that it has ended: %s", jid, exc)

    def _try_to_look(self) -> None:
        try:
            self.look()
        except (StoreError, TimeoutError) as exc:
            log.debug("calls of masters that ended: %s", exc)

    def _end_function(self, call: LeftCall) -> None:
        about, jid = call.about, str(call.about["jid"])
        told = {name: about[name] for name in ("fun", "jid", "user", "fun_args")}
        now = stamp(datetime.datetime.now(datetime.timezone.utc))
        outcome = {**told, "return": _text(call), "success": False, "retcode": 1, "_stamp": now}
        if about["is_kept"]:
            job: JobLoad = {
                "fun": told["fun"],
                "jid": jid,
                "user": told["user"],
                "arg": [],
                "tgt": call.master,
                "tgt_type": "list",
            }
            self._jobs.save_load(jid, job)
            self._jobs.save_return({"jid": jid, "id": call.master, "return": outcome})
        self._bus.fire(about["tag"], outcome)

    def _end_batch(self, call: LeftCall) -> None:
        self._bus.fire(*event_of(str(call.about["jid"]), Step(halted=_text(call))))


def _text(call: LeftCall) -> str:
    return f"master {call.master} ended while it ran; what it had begun is not repeated"
