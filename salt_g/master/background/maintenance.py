"""What the master does by the clock: each duty in its own greenlet, at its own pace.

Why its own file: a duty that fails or takes long must neither end the daemon nor hold up another.
Units: seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple

import gevent

from salt_g.cache.jobs import Jobs, Retention
from salt_g.cache.stock_files import StockJobFiles
from salt_g.errors import StoreError
from salt_g.process.offload import offload
from salt_g.process.supervisor import Supervisor

log = logging.getLogger(__name__)

#: How long the copies of jobs for stock's command line are kept (s), which reads them when it has published.
COPIES_LAST = 3600.0
#: How long a step of pruning may wait for its commit (s).
STORE_TIMEOUT = 60.0


class MaintenanceTask(NamedTuple):
    """Something to be done again and again; `interval` is the pause between two times."""

    name: str
    interval: float
    run: Callable[[], object]


def begin(duties: Iterable[MaintenanceTask], supervisor: Supervisor) -> None:
    """Do each duty now and then again after its interval."""
    for duty in duties:
        supervisor.spawn(_repeat, duty, name=duty.name)


def prune_jobs(jobs: Jobs, files: StockJobFiles, retention: Retention) -> None:
    """Remove jobs that are older than `keep_jobs_seconds`, or more than `keep_jobs_bytes`."""
    try:
        while removed := jobs.prune(retention).result(STORE_TIMEOUT):
            log.debug("%d old jobs removed", removed)
    except (StoreError, TimeoutError) as exc:
        log.warning("old jobs cannot be removed: %s", exc)
    offload(files.remove_older, min(retention.keep_seconds or COPIES_LAST, COPIES_LAST))


def _repeat(duty: MaintenanceTask) -> None:
    while True:
        try:
            duty.run()
        # One of the places where any error is caught: the next time may go well.
        except (Exception, SystemExit):
            log.exception("%s failed, it is tried again in %g s", duty.name, duty.interval)
        gevent.sleep(duty.interval)
