"""Composition of a minion from its parts, which are created in groups.

The first group needs neither a master nor the minion's user; later groups have the connections to masters,
and the parts that use these connections.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.config import Settings
from salt_g.errors import SaltGError
from salt_g.keys.pair import log_if_readable
from salt_g.loader import Loader
from salt_g.local_call import local_context
from salt_g.minion.background.automation import MinionAutomation
from salt_g.minion.bus import MinionBus
from salt_g.minion.call_data import CallData, MasterlessCallData
from salt_g.minion.connection import masters
from salt_g.minion.connection.connect import Connector
from salt_g.minion.connection.master_connection import MasterConnection
from salt_g.minion.connection.minion_identity import load_identity
from salt_g.minion.connection.readiness import Readiness
from salt_g.minion.connection.seen_jobs import SeenJobs
from salt_g.minion.connection.session import Network
from salt_g.minion.jobs.job_runner import JobRunner
from salt_g.minion.jobs.own_jobs import OwnJobs
from salt_g.minion.jobs.proc_files import ProcFiles
from salt_g.minion.jobs.queued_jobs import QueuedJobs
from salt_g.minion.jobs.return_sender import ReturnSender
from salt_g.minion.jobs.running_jobs import JobOrigin, RunningJobs
from salt_g.minion.jobs.spool import Spool
from salt_g.minion.settings import (
    AutomationSettings,
    BusSettings,
    ConnectionSettings,
    ConnectorSettings,
    IdentitySettings,
    IncomingJobSettings,
    JobSettings,
    OwnJobSettings,
    RetrySettings,
)
from salt_g.process.supervisor import Supervisor

if TYPE_CHECKING:
    from salt_g.minion.resources.types import ResourceTypes
    from salt_g.telemetry.daemon_metrics import DaemonMetrics


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class JobParts:
    """Parts shared by all masters (bus, plugins, running jobs, files), not yet started."""

    supervisor: Supervisor
    bus: MinionBus
    loader: Loader
    files: ProcFiles
    queued: QueuedJobs
    seen: SeenJobs
    spool: Spool
    returns: ReturnSender
    jobs: RunningJobs
    own_jobs: OwnJobs
    readiness: Readiness


@dataclass(frozen=True)
class Connections:
    """Connections to the masters, if any; the minion's own jobs and events have the origin `own`."""

    masters: Sequence[MasterConnection]
    call_data: CallData
    own: JobOrigin


@dataclass(frozen=True)
class BackgroundParts:
    """Schedule, beacons, engines and, if configured, the metrics port; not yet started."""

    automation: MinionAutomation
    metrics: DaemonMetrics | None


def compose_jobs(opts: Mapping[str, Any], supervisor: Supervisor) -> JobParts:
    """Create the parts that all masters share."""
    spool = Spool(str(opts["cachedir"]), max_bytes=int(opts["return_spool_size"]))
    files = ProcFiles(str(opts["cachedir"]))
    queued = QueuedJobs(str(opts["cachedir"]))
    runner = JobRunner(JobSettings.of(opts))
    jobs = RunningJobs(
        runner.run,
        supervisor=supervisor,
        files=files,
        queued=queued,
        ended=runner.ended,
        refused=runner.refused,
        limit=int(opts["process_count_max"]),
    )
    own_jobs = OwnJobs(OwnJobSettings.of(opts), jobs)
    return JobParts(
        supervisor=supervisor,
        bus=MinionBus(BusSettings.of(opts), supervisor=supervisor),
        loader=Loader(opts),
        files=files,
        queued=queued,
        seen=SeenJobs(IncomingJobSettings.of(opts).minion_jid_queue_hwm),
        spool=spool,
        returns=ReturnSender(spool, RetrySettings.of(opts), supervisor=supervisor),
        jobs=jobs,
        own_jobs=own_jobs,
        readiness=Readiness(on_first=own_jobs.run_startup_states),
    )


def compose_connections(settings: Settings, parts: JobParts, network: Network | None) -> Connections:
    """Create the connection to each master; raise an error for invalid settings or an unusable minion key."""
    opts = settings.opts
    services = {"events": lambda: parts.bus, "jobs": lambda: parts.jobs}
    deliver = partial(parts.returns.deliver, "")
    if opts.get("master_type") == "disable" or opts.get("file_client") == "local":
        call_data = MasterlessCallData(opts, loader=parts.loader, services=services)
        return Connections((), call_data, JobOrigin(call_data, deliver=deliver, fire=partial(fire, ())))
    identity = load_identity(IdentitySettings.of(opts))
    log_if_readable(str(opts["pki_dir"]), "minion")
    connection = ConnectionSettings.of(opts)
    names = masters.configured(connection.masters, call=partial(_call, opts))
    make = partial(
        MasterConnection,
        settings=connection,
        identity=identity,
        network=network or Connector(ConnectorSettings.of(opts)),
        bus=parts.bus.bus,
        jobs=parts.jobs,
        returns=parts.returns,
        make_call_data=lambda channel, own: CallData(
            opts, channel, loader=parts.loader, services={**services, **own}
        ),
        resource_types=functools.cache(partial(_resource_types, opts, parts.loader)),
        requires_signature=_requires_signature(settings),
        readiness=parts.readiness,
        seen=parts.seen,
    )
    groups = [names] if masters.takes_turns(connection.masters) else [[name] for name in names]
    made = [make(group) for group in groups]
    own = list({connection.name: connection for connection in made}.values())
    first = own[0].call_data
    return Connections(own, first, JobOrigin(first, deliver=deliver, fire=partial(fire, own)))


def compose_background(opts: Mapping[str, Any], parts: JobParts, connections: Connections) -> BackgroundParts:
    """Create the parts that work without requests from a master: schedule, beacons, engines, metrics."""
    automation = MinionAutomation(
        AutomationSettings.of(opts),
        bus=parts.bus.bus,
        connected=parts.readiness.connected,
        jobs=parts.jobs,
        call_data=lambda: connections.call_data,
        run_job=partial(parts.own_jobs.run, connections.own),
        send=partial(_send, connections.masters),
        supervisor=parts.supervisor,
    )
    return BackgroundParts(automation, _metrics(opts, parts, connections))


def fire(connections: Sequence[MasterConnection], tag: str, data: Any) -> None:
    """Send an event to the masters."""
    for connection in connections:
        connection.outbox.fire(tag, data)


def _send(connections: Sequence[MasterConnection], events: Sequence[Mapping[str, Any]]) -> None:
    for connection in connections:
        connection.outbox.fire_many(events)


def _metrics(opts: Mapping[str, Any], parts: JobParts, connections: Connections) -> DaemonMetrics | None:
    if not opts["metrics_port"]:
        return None
    # Imported lazily: few minions offer metrics.
    from salt_g.minion.background import minion_metrics

    return minion_metrics.make_metrics(
        opts,
        parts.supervisor,
        jobs=parts.jobs,
        spool=parts.spool,
        bus=parts.bus.bus,
        sessions=lambda: (connection.session for connection in connections.masters),
    )


def _resource_types(opts: Mapping[str, Any], loader: Loader) -> ResourceTypes:
    """Return the resource types, which are shared by all masters and loaded on first use."""
    from salt_g.minion.resources.types import ResourceTypes

    return ResourceTypes(opts, loader)


def _call(opts: Mapping[str, Any], name: str) -> Any:
    """Return the result of the execution function that names the masters (`master_type: func`)."""
    with api.use(local_context(opts)) as context:
        try:
            return context.table("modules")[name]()
        except KeyError as exc:
            raise SaltGError(f"master_type is func, but there is no function {name!r}") from exc


def _requires_signature(settings: Settings) -> bool:
    """Return whether publications must be signed, which is the case unless the settings disable it."""
    if settings.origins.get("sign_pub_messages", "default") == "default":
        return True
    if not settings.opts["sign_pub_messages"]:
        log.warning("sign_pub_messages is off: publications without a signature are accepted")
    return bool(settings.opts["sign_pub_messages"])
