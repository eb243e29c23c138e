"""Calls left by masters that have ended: the leader resumes or ends them, so that no client waits forever.

Batches, rollouts and orchestrations record their completed steps, and are resumed after the last one. Any
other runner function ends with its master. The leader then reports the failure in that master's place: in the
job cache, and by the event that clients of the call wait for. A call that had begun is not repeated.
Units: seconds.
"""

from __future__ import annotations

import datetime
import logging
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.client.batch_link import event_of
from salt_g.client.batch_window import BatchStep
from salt_g.cluster.running_calls import LeftCall, RunningCalls
from salt_g.data.run_record import Resume, Resumers, RunHooks, RunRecord
from salt_g.errors import ClientError, StoreError, WireError
from salt_g.event.bus import Bus
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.shapes.loads import JobLoad
from salt_g.wire.events import stamp

log = logging.getLogger(__name__)

#: Pause between two checks.
LOOK = 2.0


#: Function that records that a rollout has ended with its master, called with (jid, reason).
Abandon = Callable[[str, str], None]


class LeftCalls:
    """Record of this master's calls, and watcher of calls whose master has ended. Lifecycle: `run`, `close`.

    `leads` returns whether this master is the leader; `settle(master)` waits for the minions of a master that
    ended, and `wait_for_jobs` until this one accepts jobs.
    """

    def __init__(
        self,
        calls: RunningCalls,
        jobs: Jobs,
        bus: Bus,
        *,
        leads: Callable[[], bool],
        settle: Callable[[str], None] = lambda master: None,
        wait_for_jobs: Callable[[], None] = lambda: None,
    ) -> None:
        self._calls = calls
        self._jobs = jobs
        self._bus = bus
        self._leads = leads
        self._settle = settle
        self._wait_for_jobs = wait_for_jobs
        self._records: weakref.WeakSet[RunRecord] = weakref.WeakSet()

    def hooks(self) -> RunHooks:
        """Return the hooks that record calls of this master."""
        return RunHooks(
            self.begin, self.end, self._calls.recipients, self._wait_for_jobs, self._calls.is_noted
        )

    def run(self, resumers: Resumers, abandon_rollout: Abandon) -> None:
        """Look for left calls until the greenlet ends."""
        look = partial(self._try_to_look, resumers, abandon_rollout)
        PeriodicLoop("cluster calls", look, LOOK, first=LOOK).run()

    def look(self, resumers: Resumers, abandon_rollout: Abandon) -> None:
        """Resume or end each call whose master has ended; raises StoreError."""
        for call in self._calls.left() if self._leads() else ():
            left, is_resumed = self._resume(call, resumers[_kind(call)])
            if is_resumed:
                continue
            log.warning("%s has ended with its master %s", left.jid, left.master)
            if "tag" in left.about:
                self._end_function(left)
            elif "rollout" in left.about:
                abandon_rollout(left.jid, _text(left))
            else:
                self._end_batch(left)
            self._calls.drop(left)

    def _resume(self, call: LeftCall, resume: Resume) -> tuple[LeftCall, bool]:
        """Take over a call and resume it; return the call, and False if it has to be ended instead."""
        noted = self._calls.to_resume(call)
        if noted is None:
            return call, False
        taken = self._calls.take(call)
        if taken is None:
            return call, True
        record = self._noted(self._calls.record(call.jid, is_resumed=True))
        try:
            is_resumed = resume(call.jid, noted, record, partial(self._settle, call.master))
        # A master of another version may have recorded other data.
        except (LookupError, TypeError, ValueError, ClientError) as exc:
            log.error("%s of master %s cannot be resumed: %r", call.jid, call.master, exc)
            is_resumed = False
        if is_resumed:
            log.warning("%s of master %s is resumed here", call.jid, call.master)
        return taken, is_resumed

    def begin(self, jid: str, about: dict[str, Any], to_resume: Any = None) -> RunRecord | None:
        """Record a call of this master; a call that cannot be recorded runs nevertheless.

        Return the call's record if it can be resumed.
        """
        try:
            return self._note(jid, {**about, "jid": jid}, to_resume)
        except (StoreError, TimeoutError, WireError) as exc:
            log.warning("cannot record %s for other masters: %s", jid, exc)
            return None

    def _note(self, jid: str, about: dict[str, Any], to_resume: Any) -> RunRecord | None:
        try:
            self._calls.begin(jid, about, to_resume)
        except WireError as exc:
            if to_resume is None:
                raise
            log.warning("%s will not be resumed by another master: %s", jid, exc)
            return self._note(jid, about, None)
        return None if to_resume is None else self._noted(self._calls.record(jid))

    def _noted(self, record: RunRecord) -> RunRecord:
        self._records.add(record)
        return record

    def close(self) -> None:
        """Close the records of running calls at shutdown, so that other masters resume the calls."""
        for record in self._records:
            record.close()

    def end(self, jid: str) -> None:
        """Record the end of a call of this master."""
        try:
            self._calls.end(jid)
        except StoreError as exc:
            log.warning("cannot record the end of %s for other masters: %s", jid, exc)

    def _try_to_look(self, resumers: Resumers, abandon_rollout: Abandon) -> None:
        try:
            self.look(resumers, abandon_rollout)
        except (StoreError, TimeoutError) as exc:
            log.debug("cannot look for calls of masters that ended: %s", exc)

    def _end_function(self, call: LeftCall) -> None:
        about, jid = call.about, call.jid
        data = {name: about[name] for name in ("fun", "jid", "user", "fun_args")}
        now = stamp(datetime.datetime.now(datetime.timezone.utc))
        outcome = {**data, "return": _text(call), "success": False, "retcode": 1, "_stamp": now}
        if about["is_kept"]:
            job: JobLoad = {
                "fun": data["fun"],
                "jid": jid,
                "user": data["user"],
                "arg": [],
                "tgt": call.master,
                "tgt_type": "list",
            }
            self._jobs.save_load(jid, job)
            self._jobs.save_return({"jid": jid, "id": call.master, "return": outcome})
        self._bus.fire(about["tag"], outcome)

    def _end_batch(self, call: LeftCall) -> None:
        self._bus.fire(*event_of(call.jid, BatchStep(halted=_text(call))))


def _kind(call: LeftCall) -> str:
    if "rollout" in call.about:
        return "rollout"
    return "runner" if "tag" in call.about else "batch"


def _text(call: LeftCall) -> str:
    return f"master {call.master} ended while it ran; what it had begun is not repeated"
