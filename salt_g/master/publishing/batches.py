"""Batches run by the master: a job in slices of minions, independent of its client's connection.

One greenlet per batch, bounded; `client/batch_window.py` chooses the slices.
Shapes: see `client/batch_link.py`. A batch acts as a client, with the permissions and credentials of the user
who started it.
"""

from __future__ import annotations

import collections
import logging
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.client.batch_link import event_of
from salt_g.client.batch_window import Batch, BatchStep, run_batch, size_of
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.data.run_record import NO_HOOKS, RunHooks, RunRecord
from salt_g.errors import ClientError, RunTaken, SaltGError
from salt_g.event import tags
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import CommandCaller
from salt_g.master.calls.call_clients import InProcessLink
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.publishing.batch_progress import BatchProgress
from salt_g.master.publishing.batch_record import earlier_batch, keep_step
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import BatchAbout, BatchState, ClientFields, Load, LoadFields

log = logging.getLogger(__name__)

#: Maximum number of concurrent batches.
MAX_RUNNING = 100
#: Maximum number of finished batches that are remembered.
MAX_ENDED = 100
#: Fields of `run_batch` and `publish` set here; a load cannot set them.
_OURS = frozenset(("client", "job", "rules", "jid", "is_stopped", "listen", "earlier"))


class _Begun(NamedTuple):
    """Batch to run; `record` is None if it cannot be resumed, a resumed one first calls `settle`."""

    jid: str
    job: JobRequest
    rules: Batch
    extra: ClientFields
    user: str
    caller: CommandCaller
    proof: ClientFields
    record: RunRecord | None = None
    is_resumed: bool = False
    settle: Callable[[], None] = lambda: None


class Batches:
    """Batches of this master. Lifecycle: `start` for each, `stop` ends one between two slices."""

    def __init__(
        self,
        *,
        make_client: Callable[..., JobClient],
        answer: Answer,
        bus: Bus,
        jobs: Jobs,
        supervisor: Supervisor,
        readers: JobReaders | None = None,
        local_name: Callable[[LoadFields, CommandCaller], str] = lambda load, caller: "",
        caller_of: Callable[[str], CommandCaller | None] = lambda name: None,
        hooks: RunHooks = NO_HOOKS,
    ) -> None:
        """Initialize; `make_client(link=..., user=...)` returns a client of this master.

        `local_name` returns the local user who sent a load, `caller_of` a user's origin.
        `hooks` record the batches, and make each slice wait until jobs are accepted.
        """
        self._local_name = local_name
        self._caller_of = caller_of
        self._readers = readers or JobReaders()
        self._make_client = make_client
        self._answer = answer
        self._bus = bus
        self._jobs = jobs
        self._supervisor = supervisor
        self._running: dict[str, BatchProgress] = {}
        self._ended: collections.deque[BatchProgress] = collections.deque(maxlen=MAX_ENDED)
        self._stopped: set[str] = set()
        self._hooks = hooks

    def running(self) -> dict[str, BatchAbout]:
        """Return the running batches: {jid: {fun, tgt, tgt_type, user, batch}}."""
        return {jid: progress.about.copy() for jid, progress in self._running.items()}

    def status(self, jid: str) -> BatchState | None:
        """Return the progress of a batch, or None if unknown."""
        known = (progress for progress in (*self._running.values(), *self._ended) if progress.jid == jid)
        progress = next(known, None)
        return progress.as_map() if progress else None

    def is_active(self, jid: str) -> bool:
        """Return whether a batch is still active, here or at another master; raises StoreError."""
        return jid in self._running or self._hooks.is_kept(jid)

    def stop(self, jid: str) -> bool:
        """Stop a batch from sending its job to further minions; return False if it is not running here."""
        if jid in self._running:
            self._stopped.add(jid)
        return jid in self._running

    def end(self, jid: str, timeout: float) -> list[str] | None:
        """Stop a batch, wait for its end, return the minions still running; None if the batch is not here."""
        progress = self._running.get(jid)
        if progress is None:
            return None
        self.stop(jid)
        if not progress.wait(timeout):
            log.warning("batch %s has not ended within %g s", jid, timeout)
        return sorted(progress.at_work)

    def start(self, load: LoadFields, caller: CommandCaller) -> dict[str, str]:
        """Start a batch and return {"tag", "jid"}, or {"error"}."""
        try:
            job, rules, extra = _read(load)
        except ClientError as exc:
            return {"error": str(exc)}
        if len(self._running) >= MAX_RUNNING:
            return {"error": f"there are {MAX_RUNNING} batches already; wait for one to end"}
        jid = self._jobs.new_jid()
        user = str(load.get("user") or "")
        self._readers.note("batch", jid, caller.uid)
        proof = {name: load[name] for name in ("key",) if name in load}
        progress = self._running[jid] = BatchProgress(jid, job, rules, user)
        # Recorded before the client knows the jid, so that an accepted batch can be resumed.
        record = self._hooks.begin(jid, {**progress.about}, self._to_resume(load, caller))
        begun = _Begun(jid, job, rules, extra, user, caller, proof, record)
        self._supervisor.spawn(self._run, begun, name=f"batch {jid}")
        return {"tag": f"salt/batch/{jid}", "jid": jid}

    def resume(self, jid: str, noted: Any, record: RunRecord, settle: Callable[[], None]) -> bool:
        """Resume a batch of a master that ended; return False if it cannot be resumed here.

        `noted` is the data recorded when it began; `settle` waits for the minions of that master.
        """
        load = noted["load"]
        # Without a local user, the load has a token, which is valid at all masters.
        caller = self._caller_of(str(noted["as"])) if noted["as"] else CommandCaller()
        if caller is None or len(self._running) >= MAX_RUNNING or jid in self._running:
            return False
        job, rules, extra = _read(load)
        self._readers.note("batch", jid, caller.uid)
        begun = _Begun(jid, job, rules, extra, str(load.get("user") or ""), caller, {}, record, True, settle)
        self._running[jid] = BatchProgress(jid, job, rules, begun.user)
        self._supervisor.spawn(self._run, begun, name=f"batch {jid}")
        return True

    def _to_resume(self, load: LoadFields, caller: CommandCaller) -> Any:
        """Return the data to resume a batch, None without credentials that other masters can check."""
        extra = load.get("kwargs") or {}
        if "password" in extra or "password" in load:
            return None
        fields = {name: value for name, value in load.items() if name not in ("cmd", "key")}
        name = self._local_name(load, caller)
        return {"load": fields, "as": name} if name or "token" in extra else None

    def _run(self, begun: _Begun) -> None:
        jid, record = begun.jid, begun.record
        progress = self._running[jid]
        client = self._client(begun)
        try:
            if not begun.is_resumed:
                self._bus.fire(tags.batch(jid, "new"), {"jid": jid, **progress.about})
            begun.settle()
            self._steps(progress, client, begun)
        except RunTaken:
            log.warning("batch %s: another master, or this one after a restart, will resume it", jid)
            self._bus.fire(tags.batch(jid, "left"), {"jid": jid})
        except SaltGError as exc:
            log.warning("batch %s ended early: %s", jid, exc)
            self._announce(progress, BatchStep(halted=str(exc)))
        # One batch of one user: no error caused by its load may end the daemon or the other batches.
        except Exception:
            log.exception("batch %s failed", jid)
            self._announce(
                progress, BatchStep(halted="the master failed to run this batch; its log says why")
            )
        finally:
            client.destroy()
            self._ended.append(progress)
            self._running.pop(jid, None)
            self._stopped.discard(jid)
            progress.end()
        if record is None or not record.is_taken:
            self._hooks.end(jid)

    def _client(self, begun: _Begun) -> JobClient:
        def answer(load: Load, caller: CommandCaller) -> Any:
            if load.get("cmd") == "publish" and load.get("fun") != FIND_JOB:
                self._hooks.wait_for_jobs()
            if begun.record is not None and load.get("cmd") == "publish":
                begun.record.check()
            return self._answer({**load, **begun.proof}, caller)

        link = InProcessLink(answer, self._bus, begun.caller, name=f"batch {begun.jid}")
        return self._make_client(link=link, user=begun.user)

    def _steps(self, progress: BatchProgress, client: JobClient, begun: _Begun) -> None:
        jid = begun.jid
        is_stopped: Callable[[], bool] = lambda: jid in self._stopped  # noqa: E731
        halted = False
        # Before the stored returns are read, so that no return is missed between that and the first event.
        client.link.subscribe(f"salt/job/{jid}")
        earlier = None
        if begun.is_resumed and begun.record is not None:
            earlier = earlier_batch(jid, begun.record, self._jobs, self._hooks.recipients)
        steps = run_batch(
            client, begun.job, begun.rules, jid=jid, is_stopped=is_stopped, earlier=earlier, **begun.extra
        )
        for one in steps:
            if isinstance(one, Return):
                progress.take(one)
                continue
            keep_step(begun.record, one)
            halted = halted or bool(one.halted)
            self._announce(progress, one)
        if not halted:
            self._bus.fire(tags.batch(jid, "complete"), {"jid": jid})

    def _announce(self, progress: BatchProgress, step: BatchStep) -> None:
        progress.take(step)
        self._bus.fire(*event_of(progress.jid, step))


def _read(load: LoadFields) -> tuple[JobRequest, Batch, ClientFields]:
    """Return (job, rules, additional fields) of a load; raises ClientError."""
    rules, extra = load.get("rules"), load.get("kwargs") or {}
    if not isinstance(rules, dict) or not isinstance(extra, dict) or not isinstance(load.get("arg"), list):
        raise ClientError("a batch needs rules and kwargs (mappings) and arg (a list)")
    try:
        wait = float(rules.get("wait") or 0)
        if not math.isfinite(wait):
            raise ValueError
        batch = Batch(str(rules["size"]), wait, bool(rules.get("failhard")))
    except (KeyError, TypeError, ValueError):
        raise ClientError("the rules of a batch must be size (text), wait (a number) and failhard") from None
    size_of(batch.size, 1)
    job = JobRequest(load.get("tgt"), load.get("fun"), load["arg"], str(load.get("tgt_type") or "glob"))
    return (
        job._replace(ret=str(load.get("ret") or "")),
        batch,
        {str(k): v for k, v in extra.items() if k not in _OURS},
    )
