"""Maintenance tasks of a master: retention, key files, connected minions, files, memory.

Units: seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from salt_g.auth.tokens import Tokens
from salt_g.cache.jobs import Jobs
from salt_g.cache.stock_files import StockJobFiles
from salt_g.event.bus import Bus
from salt_g.files.server import FileServer
from salt_g.master.background.maintenance import MaintenanceTask, prune_jobs
from salt_g.master.background.presence import Presence
from salt_g.master.background.statistics import Statistics
from salt_g.master.publishing.restart_barrier import WRITE_INTERVAL
from salt_g.master.returns.unsolicited_returns import UnsolicitedReturns
from salt_g.master.serving.files import FileUpdates
from salt_g.master.serving.refused_refs import RefusedRefs
from salt_g.master.settings import MaintenanceSettings
from salt_g.pillar.git_clones import GitPillars
from salt_g.process.malloc_trim import give_back_pages
from salt_g.process.offload import offload

log = logging.getLogger(__name__)


def maintenance_tasks(
    settings: MaintenanceSettings,
    *,
    bus: Bus,
    fileserver: FileServer,
    git_pillars: GitPillars,
    jobs: Jobs,
    look_at_key_files: Callable[[], None],
    note_connected: Callable[[], None],
    presence: Presence,
    statistics: Statistics,
    stock_files: StockJobFiles,
    tokens: Tokens,
    unsolicited_returns: UnsolicitedReturns,
) -> list[MaintenanceTask]:
    """Return the tasks that the settings enable."""
    loop = settings.loop_interval
    retention = partial(prune_jobs, jobs, stock_files, settings.retention)
    tasks = [
        MaintenanceTask("job retention", loop, retention),
        MaintenanceTask("unsolicited returns", loop, unsolicited_returns.prune),
        MaintenanceTask("tokens", loop, lambda: log.debug("%d old tokens removed", tokens.clean())),
        MaintenanceTask("connected minions", WRITE_INTERVAL, note_connected),
        MaintenanceTask("memory", loop, partial(offload, give_back_pages)),
        MaintenanceTask("key files", loop, look_at_key_files),
        *FileUpdates(settings.updates, fileserver, bus).duties(),
    ]
    if git_pillars.interval:
        update = partial(_update_pillars, git_pillars, RefusedRefs(bus))
        tasks.append(MaintenanceTask("update of git_pillar", git_pillars.interval, update))
    if settings.presence_events:
        tasks.append(MaintenanceTask("presence", loop, lambda: presence.fire_events(bus)))
    if settings.stats_interval:
        tasks.append(MaintenanceTask("statistics", settings.stats_interval, statistics.fire))
    return tasks


def _update_pillars(git_pillars: GitPillars, refused: RefusedRefs) -> None:
    git_pillars.update()
    refused.report("git_pillar", git_pillars.refused())
