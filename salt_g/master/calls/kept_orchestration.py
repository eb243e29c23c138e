"""Record of an orchestration's calls, from which another master resumes it without repeating them.

Before a job is published or a function is called on the master, its jid is recorded under a place, which
identifies the state and numbers the calls of this kind that the state makes. A master that resumes the
orchestration finds the jid there. A job that the job cache has under this jid was published, or was about to
be when the master ended; it is sent only to the minions that have not received it. A runner or wheel function
that had begun is not called again: its stored outcome is returned, or without one it counts as failed. A
nested orchestration is resumed like the outer one.
Shapes: places are `<what>/<digest>/<number>`; the record has the jid under `<place>`, True under
`<place>/sent` once the job was published, and the outcome of the call under `<place>/done`.
Errors: RunTaken once another master has taken over the orchestration; StoreError while nothing can be stored.
"""

from __future__ import annotations

import collections
import hashlib
import logging
from collections.abc import Callable, Iterator
from typing import Any, cast

from salt_g import api
from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.client.batch_window import Batch, BatchStep, run_batch
from salt_g.client.jobs import EarlierReturns, FoundJob
from salt_g.client.local import LocalClient
from salt_g.client.publishing import JobRequest, Published
from salt_g.client.return_collector import Return
from salt_g.data.run_record import FindRecipients, RunRecord
from salt_g.errors import StoreError, WireError
from salt_g.master.calls.plugin_call import FAILED, RESUMED
from salt_g.master.publishing.batch_record import earlier_batch, keep_step
from salt_g.services.daemons import Calls
from salt_g.shapes import MasterCall, low_tag
from salt_g.shapes.loads import CallEvent, ClientFields

log = logging.getLogger(__name__)

#: Return of a function that was running when its master ended.
NOT_REPEATED = "the master ended while it ran; what it had begun is not repeated"


class KeptOrchestration:
    """Record of one orchestration's calls; `recipients(jid, ids)` returns the ids that were sent a job.

    `wait_for_jobs` waits, for a limited time, until the master accepts jobs.
    """

    def __init__(
        self,
        record: RunRecord,
        jobs: Jobs,
        recipients: FindRecipients,
        *,
        wait_for_jobs: Callable[[], None] = lambda: None,
    ) -> None:
        self.record = record
        self.jobs = jobs
        self.recipients = recipients
        self.wait_for_jobs = wait_for_jobs
        self._counts: collections.Counter[str] = collections.Counter()

    def place(self, what: str, *details: Any) -> str:
        """Return the place of the next job or call of this kind in the running state."""
        low = api.current().low
        text = repr((low_tag(low) if low else "", details))
        place = f"{what}/{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"
        self._counts[place] += 1
        return f"{place}/{self._counts[place]}"

    def take_jid(self, place: str, jid: str = "") -> tuple[str, bool]:
        """Return the jid of a place and whether it was recorded before; record `jid` or a new one if not."""
        known = self.record.recall(place)
        if known is not None:
            return str(known), True
        made = jid or self.jobs.new_jid()
        self.record.keep(place, made)
        return made, False


class KeptClient(LocalClient):
    """Client of an orchestration, which publishes each job once."""

    #: Record of the orchestration, set by `kept_by`.
    kept: KeptOrchestration

    def kept_by(self, kept: KeptOrchestration) -> KeptClient:
        """Use the record of an orchestration; return this client."""
        self.kept = kept
        self._earlier: dict[str, EarlierReturns] = {}
        return self

    def publish(
        self, job: JobRequest, *, listen: bool = True, timeout: float | None = None, **kwargs: Any
    ) -> Published | None:
        """Publish a job, or find it if it was published before."""
        if job.fun == FIND_JOB:
            return super().publish(job, listen=listen, timeout=timeout, **kwargs)
        # Wait for a slow database, because one failed step would make the whole orchestration fail.
        self.kept.wait_for_jobs()
        if job.jid:
            # A job with a jid is a slice of a batch.
            self.kept.record.check()
            return super().publish(job, listen=listen, timeout=timeout, **kwargs)
        place = self.kept.place("job", job.fun)
        jid, is_known = self.kept.take_jid(place)
        job = job._replace(jid=jid)
        found = self.attach(jid) if is_known else None
        if found is not None:
            self._send_rest(place, job, found, kwargs)
            returns: Any = {id: {**data, "jid": jid} for id, data in found.earlier.returns.items()}
            self._earlier[jid] = found.earlier._replace(returns=returns)
            return found.published
        published = super().publish(job, listen=listen, timeout=timeout, **kwargs)
        if published is not None:
            self._note_sent(place)
        return published

    def collect(self, published: Published, **options: Any) -> Iterator[Return | None]:
        """Yield the returns of a job as `JobClient.collect` does, those from before the resumption first."""
        if options.get("earlier") is None:
            options["earlier"] = self._earlier.pop(published.jid, None)
        yield from super().collect(published, **options)

    def run_slices(
        self, job: JobRequest, rules: Batch, *, timeout: float | None, **extra: Any
    ) -> Iterator[Return | BatchStep]:
        """Run a batch, or resume it."""
        place = self.kept.place("batch", job.fun)
        jid, is_known = self.kept.take_jid(place)
        record, earlier = self.kept.record.inner(place), None
        self.link.subscribe(f"salt/job/{jid}")
        if is_known:
            earlier = earlier_batch(jid, record, self.kept.jobs, self.kept.recipients)
        for one in run_batch(self, job, rules, timeout=timeout, jid=jid, earlier=earlier, **extra):
            if isinstance(one, BatchStep):
                keep_step(record, one)
            yield one

    def _send_rest(self, place: str, job: JobRequest, found: FoundJob, extra: ClientFields) -> None:
        """Publish a job to the minions that had not been sent it when its master ended."""
        if self.kept.record.recall(f"{place}/sent"):
            return
        doubtful = set(found.published.minions) - set(found.earlier.returns)
        missing = sorted(doubtful - self.kept.recipients(job.jid, doubtful))
        if missing:
            super().publish(job._replace(tgt=missing, tgt_type="list"), **extra)
        self._note_sent(place)

    def _note_sent(self, place: str) -> None:
        try:
            self.kept.record.keep(f"{place}/sent", True)
        except (StoreError, TimeoutError) as exc:
            log.warning("a job was published, but this could not be recorded: %s", exc)


class KeptCalls:
    """Functions that an orchestration calls on the master, recorded; implements `services.daemons.Calls`.

    `outcome_inside` runs a function with its own record, see `RunnerCalls.outcome_inside`.
    """

    def __init__(
        self, calls: Calls, outcome_inside: Callable[..., CallEvent], kept: KeptOrchestration
    ) -> None:
        self._outcome_inside = outcome_inside
        self._kept = kept
        self.start = calls.start
        self.running = calls.running

    def run(self, call: MasterCall) -> Any:
        """Run a function and return its return value."""
        return self.outcome(call)["return"]

    def outcome(self, call: MasterCall) -> CallEvent:
        """Run a function and return its outcome, or return the recorded outcome."""
        place = self._kept.place(call.kind, call.fun, list(call.args), dict(call.kwargs))
        done: CallEvent | None = self._kept.record.recall(f"{place}/done")
        if done is not None:
            return done
        jid, is_known = self._kept.take_jid(place, call.jid)
        call = call._replace(jid=jid)
        goes_on = call.kind == "runner" and call.fun in RESUMED
        if is_known and not goes_on:
            return self._stored(jid) or _not_repeated(call)
        inner = self._kept.record.inner(place) if goes_on else None
        outcome = self._outcome_inside(call, record=inner, is_resumed=is_known)
        self._keep(f"{place}/done", outcome)
        return outcome

    def _keep(self, key: str, outcome: CallEvent) -> None:
        try:
            self._kept.record.keep(key, outcome)
        except (StoreError, TimeoutError, WireError) as exc:
            log.warning(
                "cannot record the outcome of %s, which a resumed orchestration would need: %s",
                outcome["jid"],
                exc,
            )

    def _stored(self, jid: str) -> CallEvent | None:
        """Return the stored outcome of a function call, None if the call had not ended."""
        found: Any = next((data["return"] for data in self._kept.jobs.get_returns(jid).values()), None)
        return cast(CallEvent, found) if isinstance(found, dict) else None


def _not_repeated(call: MasterCall) -> CallEvent:
    return {
        "fun": f"{call.kind}.{call.fun}",
        "jid": call.jid,
        "user": call.user,
        "fun_args": [],
        "return": NOT_REPEATED,
        "success": False,
        "retcode": FAILED,
    }
