"""Returns of minions: checked, stored, announced, acknowledged.

A return is committed to the store, then fired on the bus and then acknowledged: a minion with an
acknowledgement can delete its copy, and one without resends it, which changes nothing (the first return of a
jid and an id is kept).
Shapes: a return is the load of `_return`; it is stored under the id of the session.
Source: wire specification, sections 9.1 and 13.2; security properties 1 to 3.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from salt_g.cache.futures import Future
from salt_g.cache.jobs import Jobs, Saved
from salt_g.data import jid as jids
from salt_g.errors import StoreBusy, StoreError, WireError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.event.payloads import Payload
from salt_g.master.admission.sessions import MinionSessions
from salt_g.master.commands import ANY, Field, WireCommand, taken_fields
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.master.resources.registration import MANY
from salt_g.master.resources.remapping import Remapping
from salt_g.master.resources.split_returns import unfold
from salt_g.master.returns.unpublished_returns import UnpublishedReturns
from salt_g.master.returns.unsolicited_returns import UnsolicitedReturns
from salt_g.master.settings import ReturnSettings
from salt_g.process.offload import offload, offload_heavy, yield_to_hub
from salt_g.report.recording.read_sets import MAX_BODY, SIZE
from salt_g.shapes.loads import MAX_DIGESTS, MAX_ENDED, JobLoad, ReturnBatch, ReturnLoad, is_return
from salt_g.transport.protocols import Unanswered
from salt_g.transport.time_slice import TimeSlice
from salt_g.wire.requests import SealedRequest, is_signed
from salt_g.wire.value_size import is_light

log = logging.getLogger(__name__)

#: Longest time for which a return is retried while the queue of the store is full, before the minion has to
#: send it again; and the first pause between two tries, which doubles (s).
BUSY_TIMEOUT = 3.0
BUSY_PAUSE = 0.02
#: Returns processed between two yields to other greenlets: some 5 ms.
_SLICE = 50
#: Size (bytes) from which the event of a return is built, and its signature checked, in a native thread,
#: because the return may consist of maps of one byte each.
LARGE = 16 * 1024
#: Placeholder jids: the first requests a new jid, the second no entry in the job cache.
NEW_JID = "req"
NO_CACHE = "nocache"
#: Fields of a return that its job does not have.
OUTCOME = ("return", "retcode", "success")

_FIELDS: Mapping[str, Field] = {
    "jid": Field((str,), required=True, max_size=64),
    "fun": Field((str, list), max_size=1024),
    "fun_args": ANY,
    "arg": ANY,
    "return": Field(required=True),
    "retcode": ANY,
    "success": ANY,
    "out": Field((str, type(None)), max_size=256),
    "places": Field((list,), max_size=64),
    "ended": Field((list,), max_size=MAX_ENDED),
    "low_digests": Field((bytes,), max_size=MAX_DIGESTS),
    "read_set": Field((bytes,), max_size=SIZE + MAX_BODY),
    "plan": Field((dict,), max_size=2),
    "user": Field((str, type(None)), max_size=256),
    "master_id": Field((str, type(None)), max_size=256),
    "metadata": ANY,
    "schedule": Field((str, type(None)), max_size=1024),
    "tgt": ANY,
    "tgt_type": Field((str, type(None)), max_size=64),
    "pid": ANY,
    "resource_id": Field((str,), max_size=253),
    "_stamp": Field((str,), max_size=64),
    "state_ids": ANY,
    "ret_config": ANY,
}


class ReturnIntake:
    """Intake of returns."""

    def __init__(
        self,
        settings: ReturnSettings,
        *,
        jobs: Jobs,
        running: ExpectedMinions,
        unsolicited_returns: UnsolicitedReturns,
        bus: Bus,
        sessions: MinionSessions,
        own: UnpublishedReturns | None = None,
        remapping: Remapping | None = None,
        asked_about: Callable[[str, str], list[str]] = lambda jid, minion: [],
        is_notice: Callable[[str], bool] = lambda jid: False,
        on_kept: Callable[[ReturnLoad], None] = lambda load: None,
        take_plan: Callable[[ReturnLoad], ReturnLoad] = lambda load: load,
        take_read_set: Callable[[ReturnLoad, bytes], object] = lambda load, read_set: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Initialize; `is_notice` returns whether returns of a jid only show that a minion is connected.

        `asked_about(jid, minion)` returns the resources that a minion's answer to a query covers. `on_kept`
        is called with each return that was stored for the first time; `take_plan` stores the plan in a return
        and returns the rest; `take_read_set` stores the read-set that was removed from a return.
        """
        self._own = own
        self._remapping = remapping
        self._asked_about = asked_about
        self._is_notice = is_notice
        self._on_kept = on_kept
        self._take_plan = take_plan
        self._take_read_set = take_read_set
        self._sleep = sleep
        self._settings = settings
        self._jobs = jobs
        self._running = running
        self._unsolicited_returns = unsolicited_returns
        self._bus = bus
        self._sessions = sessions
        #: Number of stored returns, and of repeated ones.
        self.kept = 0
        self.repeated = 0

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands for returns."""
        many = Field((list,), required=True, max_size=MANY)
        return {
            "_return": WireCommand(self.take, _FIELDS),
            "_return_many": WireCommand(self.take_many, {"returns": many}),
        }

    def take(self, request: SealedRequest, load: ReturnLoad) -> None:
        """Store a return; the reply is nil.

        Raise Unanswered while the store cannot save it: any answer would be an acknowledgement.
        """
        if self._is_trusted(request):
            self._take([load], whole=request.size)

    def take_many(self, request: SealedRequest, load: ReturnBatch) -> None:
        """Store several returns, as `take` does; the reply is nil when all of them are stored.

        A malformed return is dropped without affecting the others.
        """
        command, found, turns = self.commands()["_return"], [], TimeSlice()
        for offered in load["returns"]:
            one = dataclasses.replace(request, load=dict(offered) if is_return(offered) else {})
            fields, problem = taken_fields(command, one)
            if problem:
                log.warning("%s: one of several returns was refused: %s", request.id, problem)
            elif self._is_trusted(one):
                found.append(fields)
            turns.pause()
        self._take(found, whole=request.size)

    def _take(self, loads: list[ReturnLoad], *, whole: int) -> None:
        """Store returns of one minion: all are queued for the store before the first commit is awaited.

        `whole` is the size of the request (bytes).
        """
        is_large, size = whole >= LARGE, whole // max(1, len(loads))
        saving: list[tuple[ReturnLoad, Any]] = []
        try:
            for number, load in enumerate(self._parts(loads), 1):
                read_set = load.pop("read_set", b"")
                kept = self._sorted(load, size)
                if kept is not None and "plan" in kept:
                    # The plan is queued before the return, so that the acknowledgement of the return covers
                    # both.
                    kept = self._take_plan(kept)
                if kept is not None and read_set:
                    self._take_read_set(kept, read_set)
                if kept is not None:
                    saving.append((kept, self._save(kept)))
                if number % _SLICE == 0:
                    yield_to_hub()
            for number, (load, saved) in enumerate(saving, 1):
                self._fire_saved(load, saved.result(), is_large=is_large)
                if number % _SLICE == 0:
                    yield_to_hub()
        except (StoreError, TimeoutError) as exc:
            first = loads[0]
            log.error(
                "%s: its return of job %.64s could not be stored and will be resent: %s",
                first["id"],
                first["jid"],
                exc,
            )
            raise Unanswered(f"a return is not stored: {exc}") from exc

    def _parts(self, loads: list[ReturnLoad]) -> Iterator[ReturnLoad]:
        """Yield returns one by one; blocks of a minion and its resources are split."""
        for load in loads:
            remapping, jid, minion = self._remapping, load["jid"], load["id"]
            if remapping is None or not remapping.may_fold(minion) or not jids.is_job(jid):
                yield load
                continue
            yield from unfold(
                load,
                lambda id, jid=jid, minion=minion, knows=remapping.manages: (  # type: ignore[misc]
                    knows(minion, id) and self._running.expects(jid, id, owner=minion)
                ),
            )

    def _sorted(self, load: ReturnLoad, size: int) -> ReturnLoad | None:
        """Return the return to store, under the id of its owner, or None after handling any other kind.

        `size` is its size in the request (bytes).
        """
        jid = load["jid"]
        if self._is_notice(jid):
            return None
        if "resource_id" in load:
            return self._of_resource(load)
        if jid == NO_CACHE:
            self._fire(load, is_large=not is_light(load))
        elif jid == NEW_JID:
            return self._alone(load, size)
        elif not jids.is_job(jid):
            log.warning("%s: a return is dropped, because %.64r is not a jid", load["id"], jid)
        elif self._stands_for_others(load):
            return load if self._running.expects(jid, load["id"]) else None
        elif self._running.expects(jid, load["id"]):
            return load
        else:
            self._set_aside(load)
        return None

    def _of_resource(self, load: ReturnLoad) -> ReturnLoad | None:
        """Return a minion's return for a resource under the resource's name, or None if not permitted."""
        jid = load["jid"]
        for own in self._remapping.remapped(load) if self._remapping and jids.is_job(jid) else ():
            if self._running.expects(jid, own["id"], owner=load["id"]):
                return own
        self._set_aside(load)
        return None

    def _stands_for_others(self, load: ReturnLoad) -> bool:
        """Fire an answer to a query about resources once for each; return whether it is such an answer."""
        names = self._asked_about(load["jid"], load["id"])
        if not names:
            return False
        is_large = not is_light(load)
        for name in names:
            self._fire({**load, "id": name}, is_large=is_large)
        return True

    def _fire_saved(self, load: ReturnLoad, saved: Saved, *, is_large: bool) -> None:
        self.kept += 1
        self.repeated += saved is not Saved.FIRST
        if saved is Saved.DIFFERENT:
            log.warning(
                "audit: %s returned job %s a second time with another result; the first stays. If two hosts"
                " use this id and key (a cloned disk): remove pki/minion and minion_id on one, and set"
                " another `id:` there",
                load["id"],
                load["jid"],
            )
            return
        if saved is Saved.FIRST:
            self._on_kept(load)
        # A repeated return is fired again: its first event may have been lost along with the acknowledgement.
        self._fire(load, is_large=is_large)

    def _save(self, load: ReturnLoad) -> Future[Saved]:
        """Queue a return for the store; raise StoreError, or StoreBusy after `BUSY_TIMEOUT`."""
        waited, pause = 0.0, BUSY_PAUSE
        while True:
            try:
                return self._jobs.save_return(load)
            except StoreBusy:
                if waited >= BUSY_TIMEOUT:
                    raise
            self._sleep(pause)
            waited, pause = waited + pause, 2 * pause

    def _alone(self, load: ReturnLoad, size: int) -> ReturnLoad | None:
        """Create the job of an unpublished return; return the load to store, None if it is too large."""
        # Twice the size, because the received data is stored in the return, and its arguments in the job as
        # well.
        if self._own is not None and not self._own.fits(2 * size):
            log.warning("%s: its unpublished return is too large to store: %d bytes", load["id"], size)
            self._fire({**load, "jid": self._jobs.new_jid()}, is_large=size >= LARGE)
            return None
        fun_args = load.get("fun_args")
        arg = load.get("arg") or (fun_args if isinstance(fun_args, list) else [])
        load = {**load, "jid": self._jobs.new_jid(), "arg": arg, "tgt": load["id"], "tgt_type": "glob"}
        # All that is known of the job comes from its return.
        known: Any = {name: value for name, value in load.items() if name not in OUTCOME}
        job: JobLoad = known
        if self._own is None:
            self._jobs.save_load(load["jid"], job, [load["id"]])
        else:
            self._jobs.save_own(load["jid"], job, load["id"])
            self._own.add(load["id"], load["jid"], 2 * size)
        self._running.add(load["jid"], [load["id"]])
        return load

    def _set_aside(self, load: ReturnLoad) -> None:
        """Store an unsolicited return separately, so that it is not mistaken for an answer."""
        named = load.get("resource_id")
        log.warning(
            "audit: %s returned job %s%s, which was not published to it; kept apart as unsolicited",
            load["id"],
            load["jid"],
            f" for {named!r}" if named else "",
        )
        self._unsolicited_returns.keep(load)

    def _fire(self, load: ReturnLoad, *, is_large: bool = False) -> None:
        fire, turns = self._bus.fire_large if is_large else self._bus.fire, TimeSlice()
        try:
            fire(*payloads.job_return(load))
            failed = payloads.failed_states(load)
            for draft in offload(_all, failed) if is_large else failed:
                (self._bus.fire if is_light(draft.data) else self._bus.fire_large)(*draft)
                turns.pause()
        except WireError as exc:
            log.warning(
                "%s: cannot fire the event for its return of job %s: %s", load["id"], load["jid"], exc
            )

    def _is_trusted(self, request: SealedRequest) -> bool:
        """Return whether the minion's own signature satisfies the settings."""
        required = self._settings.require_minion_sign_messages
        if "sig" not in request.load:
            if required:
                log.error("%s: a return is dropped, because it is not signed", request.id)
            return not required
        signed = (request.load, self._sessions.public_key(request.id), self._signing(request))
        if offload_heavy(request.size < LARGE, is_signed, is_signed, *signed):
            return True
        drops = required or self._settings.drop_messages_signature_fail
        log.error("%s: the signature of a return is wrong%s", request.id, "; dropped" if drops else "")
        return not drops

    def _signing(self, request: SealedRequest) -> str:
        return request.sig_algo


def _all(made: Iterable[Payload]) -> list[Payload]:
    return list(made)
