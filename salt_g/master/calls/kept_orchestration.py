"""Record of the calls of an orchestration, so that another master waits for it instead of starting it again.

Before a job is published, or a function called on the master, its jid is kept under the place of the step:
its state, and how many jobs of this function the state has published before. A master that resumes the
orchestration finds the jid there. What the job cache has under it was published, or was about to be when the
master ended; only those minions get it that have not. A runner or wheel function that had begun is not called
again: it returns what was kept of it, or has failed; an orchestration inside goes on like the outer one.
Shapes: places are `<what>/<digest>/<number>`; the record has the jid under a place, and under `<place>/sent`
or `<place>/done` that the job was published, or the outcome of the call.
Errors: RunTaken once another master has the orchestration; StoreError while nothing can be kept.
"""

from __future__ import annotations

import collections
import hashlib
import logging
from collections.abc import Callable, Iterator
from typing import Any, cast

from salt_g import api
from salt_g.cache.jobs import FIND_JOB, Jobs
from salt_g.client.batch_window import Batch, Step, run_batch
from salt_g.client.jobs import Earlier, FoundJob
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

#: Return of a function that had begun when its master ended.
NOT_REPEATED = "the master ended while it ran; what it had begun is not repeated"


class KeptOrchestration:
    """Places of one orchestration in its record; `recipients` finds minions of a job whose master ended then.

    `wait_for_jobs` waits until the master takes jobs, for a limited time.
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
        """Return the place of the next thing of this kind that the running state starts."""
        low = api.current().low
        text = repr((low_tag(low) if low else "", details))
        place = f"{what}/{hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"
        self._counts[place] += 1
        return f"{place}/{self._counts[place]}"

    def take_jid(self, place: str, jid: str = "") -> tuple[str, bool]:
        """Return the jid of a place, and whether it was taken before the orchestration was resumed."""
        known = self.record.recall(place)
        if known is not None:
            return str(known), True
        made = jid or self.jobs.new_jid()
        self.record.keep(place, made)
        return made, False


class KeptClient(LocalClient):
    """Client of an orchestration, which publishes each job once."""

    #: Set by `kept_by`.
    kept: KeptOrchestration

    def kept_by(self, kept: KeptOrchestration) -> KeptClient:
        """Use the record of an orchestration; return this client."""
        self.kept = kept
        self._earlier: dict[str, Earlier] = {}
        return self

    def publish(
        self, job: JobRequest, *, listen: bool = True, timeout: float | None = None, **kwargs: Any
    ) -> Published | None:
        """Publish a job, or find it if it was published before."""
        if job.fun == FIND_JOB:
            return super().publish(job, listen=listen, timeout=timeout, **kwargs)
        # A step that fails because the database was slow for some seconds fails the whole.
        self.kept.wait_for_jobs()
        if job.jid:
            # A slice of a batch.
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
        """Yield the returns of a job, see `JobClient.collect`; first those of the time before."""
        if options.get("earlier") is None:
            options["earlier"] = self._earlier.pop(published.jid, None)
        yield from super().collect(published, **options)

    def run_slices(
        self, job: JobRequest, rules: Batch, *, timeout: float | None, **extra: Any
    ) -> Iterator[Return | Step]:
        """Run a batch, or go on with it."""
        place = self.kept.place("batch", job.fun)
        jid, is_known = self.kept.take_jid(place)
        record, earlier = self.kept.record.inner(place), None
        self.link.subscribe(f"salt/job/{jid}")
        if is_known:
            earlier = earlier_batch(jid, record, self.kept.jobs, self.kept.recipients)
        for one in run_batch(self, job, rules, timeout=timeout, jid=jid, earlier=earlier, **extra):
            if isinstance(one, Step):
                keep_step(record, one)
            yield one

    def _send_rest(self, place: str, job: JobRequest, found: FoundJob, extra: ClientFields) -> None:
        """Publish a job to the minions that had not got it when its master ended."""
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
            log.warning("a job was published, but that is not kept: %s", exc)


class KeptCalls:
    """Functions that an orchestration calls on the master; implements `services.daemons.Calls`.

    `outcome_inside` runs one of them with a record of its own, see `RunnerCalls.outcome_inside`.
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
        """Run a function and return its outcome, or what was kept of it."""
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
            log.warning("%s: its outcome is not kept for other masters: %s", outcome["jid"], exc)

    def _stored(self, jid: str) -> CallEvent | None:
        """Return the outcome of a function that had ended, None if it had not."""
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
