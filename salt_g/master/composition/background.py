"""Background work of a master: periodic maintenance, schedule, reactor and engines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from salt_g.cache.observed_banks import ObservedBanks
from salt_g.config.cache_driver import external_driver
from salt_g.loader.cache_driver import CacheDriver
from salt_g.master.background.automation import MasterAutomation
from salt_g.master.background.maintenance import MaintenanceTask
from salt_g.master.background.maintenance_tasks import maintenance_tasks
from salt_g.master.background.statistics import Statistics
from salt_g.master.composition.calls import CallParts
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.composition.returns import Returns
from salt_g.master.composition.served_data import Serving
from salt_g.master.serving.external_cache import ExternalCache
from salt_g.master.settings import MaintenanceSettings
from salt_g.shapes import Opts
from salt_g.telemetry.metric_registry import MetricRegistry

if TYPE_CHECKING:
    from salt_g.master.background.history_index import HistoryIndex
    from salt_g.master.background.read_set_pruning import ReadSetPruning


@dataclass(frozen=True)
class Background:
    """Background parts of a master, none of them started; None for parts that the settings disable."""

    tasks: Sequence[MaintenanceTask]
    automation: MasterAutomation
    external_cache: ExternalCache | None
    history: HistoryIndex | None
    read_sets: ReadSetPruning | None


def compose_background(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    serving: Serving,
    returns: Returns,
    calls: CallParts,
    *,
    metrics: MetricRegistry,
    is_leader: Callable[[], bool] | None = None,
) -> Background:
    """Create the background parts that the settings enable.

    `is_leader` returns whether this master is the leader of its cluster.
    """

    def request_presence(ids: Sequence[str]) -> None:
        publishing.gate.send(publishing.rotation.reauthentication_notice(ids), ids)

    def look_at_key_files() -> None:
        publishing.sessions.end_revoked()
        publishing.revocation.poll_drop_file(opts["cachedir"])

    tasks = maintenance_tasks(
        MaintenanceSettings.of(opts),
        bus=network.bus,
        fileserver=serving.fileserver,
        git_pillars=serving.git_pillars,
        jobs=persistence.jobs,
        look_at_key_files=look_at_key_files,
        note_connected=partial(publishing.barrier.note, ask=request_presence),
        presence=publishing.presence,
        statistics=Statistics(metrics, network.bus),
        stock_files=persistence.stock_files,
        tokens=persistence.tokens,
        unsolicited_returns=returns.unsolicited_returns,
    )
    automation = MasterAutomation(
        opts,
        bus=network.bus,
        calls=calls.runner_calls,
        make_client=calls.services.client,
        context=partial(calls.services.context, calls.runner_calls),
        supervisor=network.supervisor,
        is_leader=is_leader,
    )
    history, read_sets = _history(opts, persistence, is_leader), _read_sets(opts, persistence, is_leader)
    publishing.listeners.on_forget.extend(part.forget for part in (history, read_sets) if part is not None)
    return Background(
        tasks=tasks,
        automation=automation,
        external_cache=_external_cache(opts, persistence, serving),
        history=history,
        read_sets=read_sets,
    )


def _history(
    opts: Opts, persistence: Persistence, is_leader: Callable[[], bool] | None
) -> HistoryIndex | None:
    """Return the indexer of the history, None with the setting `history` off."""
    if not opts["history"]:
        return None
    # Imported lazily: a master without a history loads nothing of it.
    from salt_g.cache.history import HistoryLimits
    from salt_g.master.background.history_index import HistoryIndex

    limits = HistoryLimits(float(opts["history_seconds"]), int(opts["history_bytes"]))
    return HistoryIndex(persistence.store, limits, is_leader=is_leader)


def _read_sets(
    opts: Opts, persistence: Persistence, is_leader: Callable[[], bool] | None
) -> ReadSetPruning | None:
    """Return the pruning of read-sets, None with the setting `impact` off."""
    if not opts["impact"]:
        return None
    from salt_g.cache.read_sets import ReadSetLimits
    from salt_g.master.background.read_set_pruning import ReadSetPruning

    limits = ReadSetLimits(float(opts["impact_seconds"]), int(opts["impact_bytes"]))
    return ReadSetPruning(persistence.store, limits, is_leader=is_leader)


def _external_cache(opts: Opts, persistence: Persistence, serving: Serving) -> ExternalCache | None:
    """Return the synchronization with an external cache, None without one."""
    if not isinstance(persistence.banks, ObservedBanks):
        return None
    return ExternalCache(
        CacheDriver(opts, external_driver(opts)),
        master_id=opts["id"],
        banks=persistence.banks,
        keys=persistence.key_files,
        reread=serving.minion_data.reread_one,
    )
