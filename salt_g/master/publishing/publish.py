"""Publication of a job: target, jid, entry in the job cache, events, sending.

Every job passes `JobPublisher.publish` after authorization, whatever its origin (the command line, a minion,
a runner, the schedule).
Shapes: a load is that of the clear command `publish`, the reply is {jid, minions, missing} or {error}.
Source: wire specification, sections 7.2 and 10.2; stock's texts.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.cache.stock_files import StockJobFiles
from salt_g.data import jid as jids
from salt_g.data.nested import DELIMITER
from salt_g.errors import NoReply, StoreError, TargetError, WireError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.locks.locks import Locks
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.master.publishing.publication_gate import JobGate
from salt_g.master.publishing.rollout_guard import ALL_AT_ONCE, RolloutGuard
from salt_g.master.publishing.target_resolution import ResolvedTarget, TargetResolution
from salt_g.master.resources import published_target
from salt_g.master.resources.jobs import ResourceJobs
from salt_g.master.settings import PublicationSettings
from salt_g.shapes.loads import Functions, JobLoad, LoadFields, PublishReply

log = logging.getLogger(__name__)

#: Fields of a load's `kwargs` that are passed on to minions unchanged.
PASSED_ON = ("ret_config", "metadata", "ret_kwargs", "module_executors", "executor_opts", "start_event")
#: Target types that the master resolves itself with `zmq_filtering`.
_FILTERED = frozenset(("glob", "pcre", "list"))


class JobPublisher:
    """Publisher of jobs."""

    def __init__(
        self,
        settings: PublicationSettings,
        *,
        jobs: Jobs,
        running: ExpectedMinions,
        stock_files: StockJobFiles,
        bus: Bus,
        expected: TargetResolution,
        gate: JobGate,
        resource_jobs: ResourceJobs | None = None,
        readers: JobReaders | None = None,
        locks: Locks | None = None,
        guard: RolloutGuard | None = None,
    ) -> None:
        self._locks = locks
        self._guard = guard or RolloutGuard()
        self._readers = readers or JobReaders()
        self._resource_jobs = resource_jobs
        self._settings = settings
        self._jobs = jobs
        self._running = running
        self._stock_files = stock_files
        self._bus = bus
        self._expected = expected
        self._gate = gate

    def publish(
        self,
        load: LoadFields,
        *,
        user: str,
        uid: int | None = None,
        is_repeated: bool = False,
        despite: Sequence[str] = (),
        is_staged: bool = False,
        source: str = "",
    ) -> PublishReply:
        """Publish a job of an authorized user; return when it is queued for the sockets.

        `uid` is the local user who may read the job's events, besides the users who may read all.
        `is_repeated` sends again a job that was announced before. `despite` are locks that the job overrides.
        `is_staged` marks a wave of a rollout, which `rollout_guard` does not refuse. `source` is the job's
        origin, by default the `uid`.
        """
        try:
            job = _job(load, user)
            with self._gate.answering():
                resolved = self._resolve(job, load)
        except (TargetError, WireError) as exc:
            return {"error": str(exc), "malformed": True}
        except StoreError as exc:
            return _refused(user, exc)
        if not resolved.minions and not self._settings.order_masters:
            return _nobody(job["tgt"], job["tgt_type"])
        guarded = "" if is_staged else self.why_guarded(load, len(resolved.minions))
        if guarded:
            log.warning("a job of %s was refused: %s", user, guarded)
            return {"error": f"The job was not published: {guarded}"}
        try:
            self._gate.check()
            with self._gate.answering():
                source = source or source_of(uid)
                locked = self.why_locked(
                    job["fun"], job["arg"], resolved.minions, despite, user=user, source=source
                )
                if locked:
                    log.warning("a job of %s was refused: %s", user, locked)
                    return {"error": f"The job was not published: {locked}", "locked": True}
                job = self._with_jid(job, uid)
                self._keep(job, resolved, load)
        except (StoreError, OSError, TimeoutError, WireError) as exc:
            return _refused(user, exc)
        if not is_repeated:
            self._announce(job, resolved)
        try:
            self._send(job, resolved)
        except (NoReply, WireError) as exc:
            log.error("job %s was not published: %s", job["jid"], exc)
            return {"error": f"The job was not published: {exc}"}
        log.debug("job %s of %s: %s for %d minions", job["jid"], user, job["fun"], len(resolved.minions))
        return {"jid": job["jid"], "minions": resolved.minions, "missing": resolved.missing}

    def why_guarded(self, load: LoadFields, number: int) -> str:
        """Return why `rollout_guard` refuses a job on a number of minions at once, '' if it does not."""
        kwargs = load.get("kwargs")
        if isinstance(kwargs, Mapping) and kwargs.get(ALL_AT_ONCE) is True:
            return ""
        return self._guard.refusal(load.get("fun"), load.get("arg"), number)

    def why_locked(
        self,
        fun: Any,
        arg: Any,
        names: Sequence[str],
        despite: Sequence[str] = (),
        *,
        user: str,
        source: str = "",
    ) -> str:
        """Return why locks refuse a job on minions and resources, '' if they do not; raises StoreError."""
        if self._locks is None:
            return ""
        return self._locks.refusal(fun, arg, names, despite, user=user, source=source)

    def shown_arguments(self, arg: list[Any]) -> list[Any]:
        """Return the arguments of a job without the secrets in `pillar=`, to show them to users."""
        shown: list[Any] = self._shown({"arg": arg})["arg"]
        return shown

    def fire_refused(self, load: LoadFields, error: Mapping[str, Any]) -> None:
        """Fire the event of a refused job that has a jid."""
        jid = load.get("jid")
        if isinstance(jid, str) and jids.is_jid(jid):
            public = {name: load[name] for name in ("jid", "fun", "tgt", "tgt_type", "user") if name in load}
            self._bus.fire_payload(payloads.job_error(public, error))

    def _resolve(self, job: JobLoad, load: LoadFields) -> ResolvedTarget:
        """Return the resolved target of the job; expand a nodegroup to a target that minions can match."""
        if job["tgt_type"] == "nodegroup":
            job["tgt_type"], job["tgt"] = "compound", f"N@{job['tgt']}"
        delimiter = job.get("delimiter", DELIMITER)
        resolved = self._expected.resolve_all(job["tgt"], job["tgt_type"], delimiter=delimiter)
        return self._resource_jobs.limited(job, resolved) if self._resource_jobs else resolved

    def _with_jid(self, job: JobLoad, uid: int | None) -> JobLoad:
        """Return the job with the given or a new jid; raise WireError if another job has the given one."""
        jid = job.pop("jid", "")
        known = self._jobs.get_load(jid) if jid else {}
        # A client in batch mode publishes one job several times.
        if known and (known.get("fun"), known.get("user")) != (job["fun"], job["user"]):
            raise WireError(f"there is another job with the jid {jid}")
        jid = jid or self._jobs.new_jid()
        if not known:
            self._readers.note("job", jid, uid)
        return {**job, "jid": jid}

    def _keep(self, job: JobLoad, resolved: ResolvedTarget, load: LoadFields) -> None:
        """Save the job to the cache before any minion can return it."""
        kept: JobLoad = {"cmd": "publish", **self._shown(job)}
        saved = self._jobs.save_load(job["jid"], kept, resolved.minions)
        self._running.add(job["jid"], resolved.minions)
        self._stock_files.write(job["jid"], kept, resolved.minions)
        saved.result()

    def _announce(self, job: JobLoad, resolved: ResolvedTarget) -> None:
        shown = self._shown(job)
        self._bus.fire_payload(payloads.job_new(shown, resolved.minions, resolved.missing))
        self._bus.fire_payload(payloads.job_publish(shown))
        log.log(
            logging.DEBUG if job["fun"] == FIND_JOB else logging.INFO,
            "job %s of %s: %s for %d minions",
            job["jid"],
            job["user"],
            job["fun"],
            len(resolved.minions),
        )

    def _shown(self, job: JobLoad) -> JobLoad:
        """Return the job without the secrets in `pillar=`, which only its minions receive."""
        patterns = self._settings.pillar_secrets
        if not patterns:
            return job
        from salt_g.pillar.secret_paths import without_secrets  # Imported lazily: for secrets only.

        return {**job, "arg": without_secrets(job["arg"], patterns)}

    def _send(self, job: JobLoad, resolved: ResolvedTarget) -> None:
        if patterns := self._settings.pillar_secrets:
            from salt_g.pillar.secret_paths import with_paths  # Imported lazily: for secrets only.

            job = with_paths(job, patterns)
        filters = self._settings.zmq_filtering
        if self._resource_jobs:
            job = self._resource_jobs.published_form(job, resolved)
        self._gate.send(job, resolved.served_by, by_topic=filters and job["tgt_type"] in _FILTERED)


def source_of(uid: int | None) -> str:
    """Return the origin of a local user's job, '' without a user id."""
    return "" if uid is None else f"uid {uid}"


def _job(load: LoadFields, user: str) -> JobLoad:
    """Return the part of a load that minions receive; raise WireError if it is not a valid job."""
    kwargs = load.get("kwargs") or {}
    fun, arg, tgt = load.get("fun"), load.get("arg", []), load.get("tgt")
    tgt_type = load.get("tgt_type", "glob")
    if not isinstance(kwargs, dict) or not isinstance(tgt_type, str):
        raise WireError("a job's kwargs must be a mapping, and its tgt_type text")
    if not _is_function(fun) or not isinstance(arg, list):
        raise WireError("a job needs fun (text, or a list of texts) and arg (a list)")
    if not isinstance(tgt, (str, list)):
        raise WireError("a job needs tgt (text or a list)")
    job: JobLoad = {
        "fun": fun,
        "arg": arg,
        "tgt": tgt,
        "jid": _given_jid(load),
        "ret": load.get("ret") or "",
        "tgt_type": tgt_type,
        "user": user,
    }
    passed: Any = {name: kwargs[name] for name in PASSED_ON if name in kwargs}
    job.update(passed)
    if isinstance(kwargs.get("delimiter"), str):
        job["delimiter"] = kwargs["delimiter"]
    if isinstance(load.get("id"), str):
        job["id"] = load["id"]
    if "to" in load:
        job["to"] = load["to"]
    return job


def _given_jid(load: LoadFields) -> str:
    jid = load.get("jid") or ""
    if jid and not (isinstance(jid, str) and jids.is_job(jid)):
        raise WireError("a jid must have 20 digits")
    return jid


def _is_function(fun: Any) -> TypeGuard[Functions]:
    if isinstance(fun, list):
        return bool(fun) and all(isinstance(name, str) and name for name in fun)
    return isinstance(fun, str) and bool(fun)


def _refused(user: str, error: Exception) -> PublishReply:
    log.error("a job of %s was not published: %s", user, error)
    return {"error": f"The job was not published: {error}"}


def _nobody(tgt: Any, tgt_type: str) -> PublishReply:
    srn = published_target.unregistered(tgt, tgt_type)
    if srn:
        return {"error": f"resource {srn} is not registered; `resource.list` shows those that are"}
    return {"jid": None, "minions": [], "error": f"Master could not resolve minions for target {tgt}"}
