"""Batches run by the master: a job in slices of minions, independent of its client's connection.

One greenlet per batch, bounded; `client/batch_window.py` chooses the slices.
Shapes: see `client/batch_link.py`. A batch acts as a client, with the permissions and credentials of the user
who started it.
"""

from __future__ import annotations

import collections
import logging
from collections.abc import Callable
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.client.batch_link import event_of
from salt_g.client.batch_window import Batch, Step, run_batch, size_of
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.errors import ClientError, SaltGError
from salt_g.event import tags
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import Caller
from salt_g.master.calls.in_process_link import InProcessLink
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.publishing.batch_progress import BatchProgress
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Opts
from salt_g.shapes.loads import BatchAbout, BatchState, ClientFields, Load, LoadFields

log = logging.getLogger(__name__)

#: Maximum number of concurrent batches.
MAX_RUNNING = 100
#: Maximum number of finished batches that are remembered.
MAX_ENDED = 100
#: Fields of `run_batch` and `publish` set here; a load cannot set them.
_OURS = frozenset(("client", "job", "rules", "jid", "is_stopped", "listen"))


class Batches:
    """Batches of this master. Lifecycle: `start` for each, `stop` ends one between two slices."""

    def __init__(
        self,
        opts: Opts,
        *,
        answer: Answer,
        bus: Bus,
        jobs: Jobs,
        supervisor: Supervisor,
        readers: JobReaders | None = None,
    ) -> None:
        self._readers = readers or JobReaders()
        self._opts = opts
        self._answer = answer
        self._bus = bus
        self._jobs = jobs
        self._supervisor = supervisor
        self._running: dict[str, BatchProgress] = {}
        self._ended: collections.deque[BatchProgress] = collections.deque(maxlen=MAX_ENDED)
        self._stopped: set[str] = set()
        #: Called before each batch begins, with its jid and what is known of it, and after its end was told.
        self.on_begin: Callable[[str, dict[str, Any]], None] = lambda jid, about: None
        self.on_end: Callable[[str], None] = lambda jid: None

    def running(self) -> dict[str, BatchAbout]:
        """Return the running batches: {jid: {fun, tgt, tgt_type, user, batch}}."""
        return {jid: course.about.copy() for jid, course in self._running.items()}

    def status(self, jid: str) -> BatchState | None:
        """Return the progress of a batch, or None if unknown."""
        known = (course for course in (*self._running.values(), *self._ended) if course.jid == jid)
        course = next(known, None)
        return course.as_map() if course else None

    def stop(self, jid: str) -> bool:
        """Stop a batch from starting further minions; return False if the jid is unknown."""
        if jid in self._running:
            self._stopped.add(jid)
        return jid in self._running

    def end(self, jid: str, timeout: float) -> list[str] | None:
        """Stop a batch, wait for its end and return the minions still running; None if unknown."""
        course = self._running.get(jid)
        if course is None:
            return None
        self.stop(jid)
        if not course.wait(timeout):
            log.warning("batch %s has not ended within %g s", jid, timeout)
        return sorted(course.at_work)

    def start(self, load: LoadFields, caller: Caller) -> dict[str, str]:
        """Start a batch and return {"tag", "jid"}, or {"error"}."""
        try:
            job, rules, extra = _read(load)
        except ClientError as exc:
            return {"error": str(exc)}
        if len(self._running) >= MAX_RUNNING:
            return {"error": f"there are {MAX_RUNNING} batches already; wait for one to end"}
        jid = self._jobs.new_jid()
        user = str(load.get("user") or "")
        self._running[jid] = BatchProgress(jid, job, rules, user)
        self._readers.note("batch", jid, caller.uid)
        proof = {name: load[name] for name in ("key",) if name in load}
        self._supervisor.spawn(self._run, jid, job, rules, extra, user, caller, proof, name=f"batch {jid}")
        return {"tag": f"salt/batch/{jid}", "jid": jid}

    def _run(
        self,
        jid: str,
        job: JobRequest,
        rules: Batch,
        extra: ClientFields,
        user: str,
        caller: Caller,
        proof: ClientFields,
    ) -> None:
        def answer(load: Load, caller: Caller) -> Any:
            return self._answer({**load, **proof}, caller)

        link = InProcessLink(answer, self._bus, caller, name=f"batch {jid}")
        client = JobClient(self._opts, link=link, user=user)
        course = self._running[jid]
        self.on_begin(jid, {**course.about})
        try:
            self._bus.fire(tags.batch(jid, "new"), {"jid": jid, **course.about})
            self._steps(course, client, job, rules, extra)
        except SaltGError as exc:
            log.warning("batch %s ended early: %s", jid, exc)
            self._announce(course, Step(halted=str(exc)))
        # One batch of one user: no error caused by its load may end the daemon or the other batches.
        except Exception:
            log.exception("batch %s failed", jid)
            self._announce(course, Step(halted="the master failed to run this batch; its log says why"))
        finally:
            client.destroy()
            self._ended.append(course)
            self._running.pop(jid, None)
            self._stopped.discard(jid)
            course.end()
        self.on_end(jid)

    def _steps(
        self, course: BatchProgress, client: JobClient, job: JobRequest, rules: Batch, extra: ClientFields
    ) -> None:
        jid = course.jid
        is_stopped: Callable[[], bool] = lambda: jid in self._stopped  # noqa: E731
        halted = False
        for one in run_batch(client, job, rules, jid=jid, is_stopped=is_stopped, **extra):
            if isinstance(one, Return):
                course.take(one)
                continue
            halted = halted or bool(one.halted)
            self._announce(course, one)
        if not halted:
            self._bus.fire(tags.batch(jid, "complete"), {"jid": jid})

    def _announce(self, course: BatchProgress, step: Step) -> None:
        course.take(step)
        self._bus.fire(*event_of(course.jid, step))


def _read(load: LoadFields) -> tuple[JobRequest, Batch, ClientFields]:
    """Return (job, rules, additional fields) of a load; raise ClientError."""
    rules, extra = load.get("rules"), load.get("kwargs") or {}
    if not isinstance(rules, dict) or not isinstance(extra, dict) or not isinstance(load.get("arg"), list):
        raise ClientError("a batch needs rules (a map), kwargs (a map) and arg (a list)")
    try:
        batch = Batch(str(rules["size"]), float(rules.get("wait") or 0), bool(rules.get("failhard")))
    except (KeyError, TypeError, ValueError):
        raise ClientError("the rules of a batch are size (text), wait (a number) and failhard") from None
    size_of(batch.size, 1)
    job = JobRequest(load.get("tgt"), load.get("fun"), load["arg"], str(load.get("tgt_type") or "glob"))
    return (
        job._replace(ret=str(load.get("ret") or "")),
        batch,
        {str(k): v for k, v in extra.items() if k not in _OURS},
    )
