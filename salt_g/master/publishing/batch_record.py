"""Record of a batch's progress, from which this master after a restart, or another master, resumes it.

The batch's job is in the job cache; the minions that it expects have been sent it, or were about to be when
the master ended.
Shapes: the record has `found` (the minions that answered, those that did not), and `sent/<id>` (the minions
of a slice that was published).
Errors: RunTaken, StoreError.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from salt_g.cache.jobs import Jobs
from salt_g.client.batch_window import BatchStep, EarlierBatch
from salt_g.client.return_collector import Return
from salt_g.data.run_record import FindRecipients, RunRecord
from salt_g.errors import StoreError

log = logging.getLogger(__name__)

#: Number of stored returns read at a time.
_PAGE = 200


def keep_step(record: RunRecord | None, step: BatchStep) -> None:
    """Store what is needed to resume after a step; only log a failure to store a published slice."""
    if record is None:
        return
    if step.found is not None:
        record.keep("found", step.found)
    elif step.started:
        try:
            record.keep(f"sent/{step.started[0]}", step.started)
        except (StoreError, TimeoutError) as exc:
            log.warning("a slice of a batch was published, but this could not be recorded: %s", exc)


def earlier_batch(jid: str, record: RunRecord, jobs: Jobs, recipients: FindRecipients) -> EarlierBatch | None:
    """Return how far a batch got, None if it got no further than its ping."""
    found = record.recall("found")
    if found is None:
        return None
    sent = {id for ids in record.recall_all("sent/") for id in ids}
    doubtful = set(jobs.get_expected(jid)) - sent - set(jobs.get_returned(jid))
    if doubtful:
        sent |= recipients(jid, doubtful)
    return EarlierBatch((list(found[0]), list(found[1])), sent, stored_returns(jid, jobs))


def stored_returns(jid: str, jobs: Jobs) -> Iterator[Return]:
    """Yield the returns of a job that are stored, by minion."""
    last = ""
    while page := list(jobs.get_returns_page(jid, last, _PAGE)):
        for last, data in page:
            yield Return(last, data)
