"""Periodic maintenance of the master: each task in its own greenlet, at its own interval.

A task that fails or takes long neither ends the daemon nor delays another.
Units: seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple

from salt_g.cache.jobs import Jobs, Retention
from salt_g.cache.stock_files import StockJobFiles
from salt_g.errors import StoreError
from salt_g.process.offload import offload
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor

log = logging.getLogger(__name__)

#: Retention (s) of job copies for stock's command line, which reads them after publishing.
COPIES_LAST = 3600.0
#: Deadline for the commit of one pruning step (s), which removes thousands of rows.
PRUNE_TIMEOUT = 60.0


class MaintenanceTask(NamedTuple):
    """Periodic task; `interval` is the pause between two runs."""

    name: str
    interval: float
    run: Callable[[], object]


def begin(duties: Iterable[MaintenanceTask], supervisor: Supervisor) -> None:
    """Start each task: run it now and then after each interval."""
    for duty in duties:
        supervisor.spawn(PeriodicLoop(duty.name, duty.run, duty.interval).run, name=duty.name)


def prune_jobs(jobs: Jobs, files: StockJobFiles, retention: Retention) -> None:
    """Remove jobs older than `keep_jobs_seconds` or beyond `keep_jobs_bytes`, and old copies for stock."""
    try:
        while removed := jobs.prune(retention).result(PRUNE_TIMEOUT):
            log.debug("%d old jobs removed", removed)
    except (StoreError, TimeoutError) as exc:
        log.warning("old jobs cannot be removed: %s", exc)
    offload(files.remove_older, min(retention.keep_seconds or COPIES_LAST, COPIES_LAST))
