"""Rollouts of a master: starting, resuming and controlling them, and keeping the status of ended ones.

One greenlet per rollout. It publishes its jobs with the permissions that its user has at that
moment (`Authorization.check_again`), so neither a password nor a token is kept.
Shapes: the bank `rollouts` is {jid: {status, owner}}, `rollout_orders` {jid: [action, user]}; the data to
resume one are in the bank `rollout_runs`, or with the calls of a cluster. All are sealed.
Bounds: MAX_RUNNING at once, the newest MAX_KEPT are remembered.
Errors: StoreError and TimeoutError from the store.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.client.batch_window import ping_target
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.client.rollout_rules import RolloutRules, read_rules
from salt_g.data.run_record import RunHooks, RunRecord
from salt_g.errors import RunTaken, SaltGError, StoreError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import Authorization, CommandCaller, NotAuthorized
from salt_g.master.calls.call_clients import InProcessLink
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.publishing.batch_record import stored_returns
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.rollouts.rollout_jobs import RolloutJobs
from salt_g.master.rollouts.rollout_progress import RolloutProgress
from salt_g.master.rollouts.rollout_run import RolloutCommand, RolloutRun
from salt_g.master.rollouts.sealed_banks import SealedBanks
from salt_g.process.secret_hiding import hide
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import Load
from salt_g.shapes.rollouts import RolloutState

log = logging.getLogger(__name__)

STATUS, ORDERS = "rollouts", "rollout_orders"
MAX_RUNNING, MAX_KEPT = 20, 100
#: Pause between two writes of the status while a wave runs, and between two checks for orders (s).
_SAVE, _LOOK = 2.0, 1.0
_PING = "test.ping"


class Begun(NamedTuple):
    """Rollout to run: a job, its rules, and its user.

    `extra` are further fields of the job, `standing` is the identity of its user (`Allowed.standing`), `uid`
    the local user who may read its events, `despite` the locks that it overrides.
    """

    job: JobRequest
    rules: RolloutRules
    extra: dict[str, Any]
    user: str
    owner: str
    standing: Mapping[str, Any]
    uid: int | None
    despite: list[str]
    started: float

    def as_map(self) -> dict[str, Any]:
        """Return the data to resume the rollout."""
        return {**self._asdict(), "job": list(self.job), "rules": self.rules.as_map()}


def read_begun(noted: Mapping[str, Any]) -> Begun:
    """Return the rollout in data of `as_map`; raises LookupError, TypeError, ClientError."""
    job, rules = JobRequest(*noted["job"]), read_rules(noted["rules"])
    return Begun(**{name: noted[name] for name in Begun._fields} | {"job": job, "rules": rules})


class Rollouts:
    """Rollouts of this master, and the stored status of other masters' rollouts."""

    def __init__(
        self,
        *,
        make_client: Callable[..., JobClient],
        answer: Answer,
        bus: Bus,
        jobs: Jobs,
        banks: SealedBanks,
        authorization: Authorization,
        publisher: JobPublisher,
        supervisor: Supervisor,
        readers: JobReaders,
        hooks: RunHooks,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._make_client = make_client
        self._answer = answer
        self._bus = bus
        self._jobs = jobs
        self._banks = banks
        self._authorization = authorization
        self._publisher = publisher
        self._supervisor = supervisor
        self._readers = readers
        self._clock = clock
        self._running: dict[str, RolloutProgress] = {}
        self._owners: dict[str, str] = {}
        self._orders: dict[str, tuple[float, RolloutCommand]] = {}
        self._saved: dict[str, float] = {}
        self._hooks = hooks

    def start(self, jid: str, begun: Begun) -> str:
        """Start an authorized rollout; return why it cannot start, '' if it has."""
        if len(self._running) >= MAX_RUNNING:
            return f"{MAX_RUNNING} rollouts are already running; wait for one to end"
        self._readers.note("rollout", jid, begun.uid)
        progress = self._progress(jid, begun)
        about = {"rollout": jid, "fun": begun.job.fun, "user": begun.user}
        record = self._hooks.begin(jid, about, begun.as_map())
        if record is None:
            return "the rollout cannot be stored, so it would end with this master; the master's log says why"
        self._running[jid] = progress
        self._owners[jid] = begun.owner
        self._save(progress)
        self._forget_old()
        self._supervisor.spawn(self._run, jid, begun, record, name=f"rollout {jid}")
        return ""

    def resume(self, jid: str, noted: Any, record: RunRecord, settle: Callable[[], None]) -> bool:
        """Resume a rollout of a master that ended; return False if it cannot be resumed here."""
        if jid in self._running:
            return False
        try:
            begun = read_begun(noted)
        except (LookupError, TypeError, SaltGError) as exc:
            log.error("rollout %s cannot be resumed: %r", jid, exc)
            self.abandon(jid, "its master ended, and it cannot be resumed")
            return False
        proven = begun.standing.get("proven")
        caller = self._authorization.caller_of(str(proven)) if proven else None
        begun = begun._replace(uid=caller.uid if caller else None)
        self._readers.note("rollout", jid, begun.uid)
        self._running[jid] = self._progress(jid, begun)
        self._owners[jid] = begun.owner
        self._supervisor.spawn(self._run, jid, begun, record, settle, name=f"rollout {jid}")
        return True

    def abandon(self, jid: str, why: str) -> None:
        """Record that a rollout has ended with its master."""
        kept = self._banks.fetch(STATUS, jid)
        if kept and kept["status"]["ended"] is None:
            ended = {"state": "stopped", "stopped": why, "ended": self._clock()}
            self._banks.store(STATUS, jid, {**kept, "status": {**kept["status"], **ended}})

    def all(self) -> list[RolloutState]:
        """Return the status of each rollout, the newest first, without the names of minions."""
        known = {jid: self.status(jid) for jid in self._banks.list(STATUS)}
        found = [status for _, status in sorted(known.items(), reverse=True) if status is not None]
        for status in found:
            for wave in status["waves"]:
                wave["minions"] = []
        return found

    def is_active(self, jid: str) -> bool:
        """Return whether a rollout is still active, here or at another master; raises StoreError."""
        return jid in self._running or self._hooks.is_kept(jid)

    def status(self, jid: str) -> RolloutState | None:
        """Return the status of a rollout, None for an unknown one."""
        if jid in self._running:
            return self._running[jid].as_map()
        kept = self._banks.fetch(STATUS, jid)
        return kept["status"] if kept else None

    def owner(self, jid: str) -> str:
        """Return the owner of a rollout (`owner_of`), '' for an unknown one."""
        if jid in self._owners:
            return self._owners[jid]
        kept = self._banks.fetch(STATUS, jid)
        return str(kept["owner"]) if kept else ""

    def order(self, jid: str, action: str, user: str) -> bool:
        """Pause, resume or stop a rollout of any master; return False if it has ended or is being stopped."""
        status = self.status(jid)
        if status is None or status["ended"] is not None:
            return False
        if self._order(jid, True).action == "stop":
            return action == "stop"
        made = RolloutCommand("" if action == "resume" else action, user)
        self._banks.store(ORDERS, jid, list(made)).result()
        self._orders[jid] = (time.monotonic(), made)
        log.warning("audit: rollout %s: %s by %s", jid, action, user)
        return True

    def _progress(self, jid: str, begun: Begun) -> RolloutProgress:
        return RolloutProgress(
            jid,
            function=begun.job.fun,
            arguments=hide(self._publisher.shown_arguments(list(begun.job.arg))),
            target=begun.job.tgt,
            user=begun.user,
            started=begun.started,
        )

    def _run(
        self, jid: str, begun: Begun, record: RunRecord, settle: Callable[[], None] = lambda: None
    ) -> None:
        progress = self._running[jid]
        client = self._client(jid, begun, record)
        try:
            settle()
            self._made_run(progress, begun, record, client).run()
        except RunTaken:
            log.warning("rollout %s: another master, or this one after a restart, will resume it", jid)
        except (SaltGError, TimeoutError) as exc:
            log.warning("rollout %s ended early: %s", jid, exc)
            self._end_early(progress, record, str(exc))
        # One rollout of one user: no error caused by its load may end the daemon or the other rollouts.
        except Exception:
            log.exception("rollout %s failed", jid)
            self._end_early(progress, record, "the master failed to run it; its log says why")
        finally:
            client.destroy()
            for known in (self._running, self._owners, self._orders, self._saved):
                known.pop(jid, None)
        if not record.is_taken:
            self._banks.flush(ORDERS, jid)
            self._hooks.end(jid)

    def _made_run(
        self, progress: RolloutProgress, begun: Begun, record: RunRecord, client: JobClient
    ) -> RolloutRun:
        jid = progress.jid
        return RolloutRun(
            progress,
            begun.job._replace(jid=jid),
            begun.rules,
            jobs=RolloutJobs(client, record, self._jobs, self._hooks.recipients, begun.extra),
            record=record,
            find=partial(self._find, begun, client),
            order=partial(self._order, jid),
            report=partial(self._report, progress),
            returns=partial(stored_returns, jid, self._jobs),
            clock=self._clock,
        )

    def _client(self, jid: str, begun: Begun, record: RunRecord) -> JobClient:
        answer = partial(self._serve, begun, record)
        link = InProcessLink(answer, self._bus, CommandCaller("", os.geteuid()), name=f"rollout {jid}")
        return self._make_client(link=link, user=begun.user)

    def _serve(self, begun: Begun, record: RunRecord, load: Load, caller: CommandCaller) -> Any:
        """Answer the client of a rollout: publish with the permissions that its user has now."""
        if load.get("cmd") != "publish":
            return self._answer(load, caller)
        if load.get("fun") != FIND_JOB:
            self._hooks.wait_for_jobs()
        record.check()
        # The ping and the query about the job's state are internal; only jobs of the user are checked again.
        if load.get("fun") not in (_PING, FIND_JOB):
            try:
                self._authorization.check_again(begun.standing, load)
            except NotAuthorized as exc:
                return exc.reply
        reply = self._publisher.publish(
            load, user=begun.user, uid=begun.uid, despite=begun.despite, is_staged=True
        )
        return {"enc": "clear", "load": reply}

    def _find(self, begun: Begun, client: JobClient) -> tuple[list[str], list[str]]:
        return ping_target(client, begun.job, begun.rules.timeout, None, begun.extra)

    def _order(self, jid: str, is_fresh: bool = False) -> RolloutCommand:
        """Return the last order for a rollout, given at any master; up to 1 s old unless `is_fresh`."""
        now = time.monotonic()
        at, known = self._orders.get(jid, (0.0, RolloutCommand()))
        if at and now - at < _LOOK and not is_fresh:
            return known
        try:
            found = self._banks.fetch(ORDERS, jid)
        except StoreError as exc:
            log.debug("rollout %s: its orders cannot be read: %s", jid, exc)
            return known
        known = (
            RolloutCommand(*found)
            if isinstance(found, list) and len(found) == len(RolloutCommand._fields)
            else RolloutCommand()
        )
        if jid in self._running:
            self._orders[jid] = (now, known)
        return known

    def _report(self, progress: RolloutProgress, moment: str, number: int) -> None:
        """Store the status and fire the event named `moment`.

        If `moment` is '' (progress within a wave), fire no event, and store at most every `_SAVE` seconds.
        """
        if not moment:
            if self._clock() - self._saved.get(progress.jid, 0.0) >= _SAVE:
                self._save(progress)
            return
        # A client that learns of the end reads the status from the store.
        self._save(progress, is_awaited=moment == "end")
        self._bus.fire_payload(payloads.rollout(progress.as_map(), moment, number))

    def _save(self, progress: RolloutProgress, *, is_awaited: bool = False) -> None:
        self._saved[progress.jid] = self._clock()
        kept = {"status": progress.as_map(), "owner": self._owners.get(progress.jid, "")}
        try:
            stored = self._banks.store(STATUS, progress.jid, kept)
            if is_awaited:
                stored.result()
        except (StoreError, TimeoutError) as exc:
            log.warning("cannot store the status of rollout %s: %s", progress.jid, exc)

    def _end_early(self, progress: RolloutProgress, record: RunRecord, why: str) -> None:
        if record.is_taken:
            return
        progress.stop(why)
        progress.end(self._clock())
        self._report(progress, "end", 0)

    def _forget_old(self) -> None:
        """Remove the oldest ended rollouts beyond MAX_KEPT."""
        jids = [jid for jid in self._banks.list(STATUS) if jid not in self._running]
        for jid in jids[: max(0, len(jids) - MAX_KEPT)]:
            status = self.status(jid)
            if status is None or status["ended"] is not None:
                self._banks.flush(STATUS, jid)
