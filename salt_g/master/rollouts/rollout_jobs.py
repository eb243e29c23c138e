"""Jobs of a rollout (the job itself in a wave, checks, the undo), recorded so that each is sent once.

All run as batches do (`client/batch_window.py`), and are resumed like batches after their master has ended.
Shapes: below its key the record has `sent/<id>` (the minions of a slice that was published).
Errors: RunTaken, StoreError, ClientError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from salt_g.cache.jobs import Jobs
from salt_g.client.batch_window import Batch, BatchStep, EarlierBatch, run_batch
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.client.return_collector import Return
from salt_g.data.run_record import FindRecipients, RunRecord
from salt_g.master.publishing.batch_record import keep_step, stored_returns
from salt_g.shapes.loads import ClientFields


class RolloutJobs:
    """Jobs of one rollout, published by its `client`; `extra` are further fields of the rollout's own job."""

    def __init__(
        self,
        client: JobClient,
        record: RunRecord,
        jobs: Jobs,
        recipients: FindRecipients,
        extra: ClientFields,
    ) -> None:
        self._client = client
        self._record = record
        self._jobs = jobs
        self._recipients = recipients
        self._extra = extra

    def run(
        self,
        key: str,
        job: JobRequest,
        ids: Sequence[str],
        *,
        size: str = "",
        timeout: float | None = None,
        gate: Callable[[], str] = lambda: "",
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[Return | BatchStep]:
        """Run a job on minions, at most `size` at a time; yield returns and steps.

        Once `is_stopped()` is true, no minion is waited for. A job without a jid gets one, which is recorded
        under `key`.
        """
        jid = job.jid or self._jid(key)
        self._client.link.subscribe(f"salt/job/{jid}")
        record = self._record.inner(key)
        extra = self._extra if job.jid else {}
        steps = run_batch(
            self._client,
            job._replace(tgt=list(ids), tgt_type="list", jid=jid),
            Batch(size or "100%"),
            timeout=timeout,
            jid=jid,
            gate=gate,
            is_stopped=is_stopped,
            earlier=self._earlier(jid, record, ids),
            **extra,
        )
        try:
            for one in steps:
                if isinstance(one, BatchStep):
                    if one.found is not None:
                        continue
                    keep_step(record, one)
                    # The event of the return may have been lost on the way.
                    stored = self._jobs.get_return(jid, one.silent) if one.silent else None
                    if stored is not None:
                        yield Return(one.silent, stored)
                        continue
                yield one
        finally:
            self._client.link.unsubscribe(f"salt/job/{jid}")

    def is_sent(self, jid: str, ids: Sequence[str]) -> bool:
        """Return whether a job was sent to some of these minions."""
        return not set(ids).isdisjoint(self._jobs.get_expected(jid))

    def _jid(self, key: str) -> str:
        known = self._record.recall(f"{key}/jid")
        if known is None:
            known = self._jobs.new_jid()
            self._record.keep(f"{key}/jid", known)
        return str(known)

    def _earlier(self, jid: str, record: RunRecord, ids: Sequence[str]) -> EarlierBatch:
        """Return how far the job got on these minions."""
        wanted = set(ids)
        expected = wanted.intersection(self._jobs.get_expected(jid))
        if not expected:
            return EarlierBatch((list(ids), []), set(), ())
        sent = wanted.intersection(id for slice in record.recall_all("sent/") for id in slice)
        doubtful = expected - sent - set(self._jobs.get_returned(jid))
        if doubtful:
            sent |= self._recipients(jid, doubtful)
        returns = (one for one in stored_returns(jid, self._jobs) if one.id in wanted)
        return EarlierBatch((list(ids), []), sent, returns)
