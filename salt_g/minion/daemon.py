"""The minion daemon: its parts, their wiring, and the order of start and stop.

Wiring only; each part is a file of its own. Begin with `session.py` (how a master is found), then
`publications.py`, `running_jobs.py`, `job_runner.py`, `return_sender.py` (how a job travels).
Units: seconds.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gevent
import gevent.event

from salt_g import api
from salt_g.config import Settings
from salt_g.data import jid
from salt_g.errors import SaltGError
from salt_g.loader import Loader
from salt_g.local_call import local_context
from salt_g.minion.background import periodic
from salt_g.minion.background.automation import MinionAutomation
from salt_g.minion.background.hub_watchdog import HubWatchdog
from salt_g.minion.background.startup_states import startup_job
from salt_g.minion.bus import MinionBus
from salt_g.minion.call_data import CallData
from salt_g.minion.connection import masters
from salt_g.minion.connection.connect import Connector
from salt_g.minion.connection.master_connection import MasterConnection
from salt_g.minion.connection.minion_identity import MinionIdentity, load_identity
from salt_g.minion.connection.session import Network, takes_turns
from salt_g.minion.jobs.job_runner import JobRunner
from salt_g.minion.jobs.proc_files import ProcFiles
from salt_g.minion.jobs.return_sender import ReturnSender
from salt_g.minion.jobs.running_jobs import RunningJob, RunningJobs
from salt_g.minion.jobs.spool import Spool
from salt_g.minion.masterless_call_data import MasterlessCallData
from salt_g.minion.resources.resource_manager import ResourceManager
from salt_g.process import privileges
from salt_g.process.supervisor import Supervisor

if TYPE_CHECKING:
    from salt_g.minion.resources.types import ResourceTypes
    from salt_g.telemetry.daemon_metrics import DaemonMetrics

log = logging.getLogger(__name__)

#: How long the start waits for a master before the minion reports that it is ready.
START_TIMEOUT = 30.0
#: How long jobs may continue after shutdown was requested; then they are ended and returned as failures.
STOP_TIMEOUT = 5.0


class Minion:
    """Daemon of one minion. Life: `start`, its supervisor's `wait`, `stop`."""

    def __init__(self, settings: Settings, *, network: Network | None = None) -> None:
        self.supervisor = Supervisor("minion")
        self._opts = opts = settings.opts
        self._network = network
        self._requires_signature = requires_signature(settings)
        self._bus = MinionBus(opts, supervisor=self.supervisor)
        self._loader = Loader(opts)
        self._spool = Spool(str(opts["cachedir"]), max_bytes=int(opts["return_spool_size"]))
        self._returns = ReturnSender(self._spool, opts, supervisor=self.supervisor)
        self._work = JobRunner(
            opts,
            facts_of=self._facts_of,
            deliver=self._deliver,
            fire=self._fire_to,
            resources_of=self._resources_of,
        )
        self._files = ProcFiles(str(opts["cachedir"]))
        self._jobs = RunningJobs(
            self._work.run,
            supervisor=self.supervisor,
            files=self._files,
            ended=self._work.ended,
            refused=self._work.refused,
            limit=int(opts["process_count_max"]),
        )
        self._clockwork = MinionAutomation(
            opts,
            bus=self._bus.bus,
            jobs=self._jobs,
            facts=self.facts,
            run_job=self.run_job,
            send=self._send_events,
            supervisor=self.supervisor,
        )
        self._stalls = HubWatchdog(float(opts["hub_warn_interval"])) if opts["hub_warn_interval"] else None
        self._attached: dict[str, MasterConnection] = {}
        self._local: MasterlessCallData | None = None
        self._types: ResourceTypes | None = None
        self._metering: DaemonMetrics | None = None
        self._settled: Any = gevent.event.Event()
        self._was_connected = False

    # Life

    def start(self) -> None:
        """Start; return when a master has accepted this minion, or after a timeout."""
        opts = self._opts
        privileges.prepare(
            str(opts["user"]), [str(opts[name]) for name in ("pki_dir", "cachedir", "sock_dir")]
        )
        privileges.become(str(opts["user"]))
        if self._stalls is not None:
            self._stalls.start()
        if opts.get("random_startup_delay"):
            gevent.sleep(random.uniform(0, float(opts["random_startup_delay"])))
        self._files.clear()
        self._bus.start()
        self._attach()
        self._returns.start()
        for attached in self._attached.values():
            attached.start(self.supervisor)
        self._start_loops()
        self._measure()
        if self._attached:
            self._settled.wait(START_TIMEOUT)

    def status(self) -> dict[str, Any]:
        """Return the status line for the service manager."""
        connected = [one.session.place.name for one in self._attached.values() if one.session.is_connected]
        told = f"connected to {', '.join(connected)}" if connected else "not connected to a master yet"
        return {"STATUS": told if self._attached else "without a master", "X_CONNECTED": len(connected)}

    def stop(self, *, timeout: float = STOP_TIMEOUT) -> bool:
        """Stop; all returns of jobs are on disk afterwards. Return whether everything finished cleanly."""
        self._jobs.stop(timeout=timeout)
        self._bus.stop()
        for attached in self._attached.values():
            attached.managing.shut_down()
        if self._metering is not None:
            self._metering.stop()
        self.supervisor.stop()
        if self._stalls is not None:
            self._stalls.stop()
        for attached in self._attached.values():
            attached.session.channel.close()
        return True

    # Entry points of schedule, beacons and startup states

    def run_job(self, load: Mapping[str, Any], *, master: str = "") -> str:
        """Run a job of the minion's own; return its jid, a new one unless given."""
        own = {"tgt": self._opts["id"], "tgt_type": "glob", "ret": "", "user": self._opts["user"], "arg": []}
        job = RunningJob({**own, "jid": jid.make(), **load}, master)
        self._jobs.start(job)
        return job.jid

    def fire(self, tag: str, data: Any) -> None:
        """Send an event to the masters."""
        for attached in self._attached.values():
            attached.outbox.fire(tag, data)

    def _send_events(self, events: Sequence[Mapping[str, Any]]) -> None:
        for attached in self._attached.values():
            attached.outbox.fire_many(events)

    def facts(self) -> CallData:
        """Return the call data of the first master, or masterless call data."""
        return self._facts_of("")

    # Wiring

    def _attach(self) -> None:
        """Create the connection of each master; gather the grains, which the first sign-in may need."""
        opts = self._opts
        if opts.get("master_type") == "disable" or opts.get("file_client") == "local":
            self._local = MasterlessCallData(opts, loader=self._loader, services=self._services())
            self._local.gather_grains()
            self._local.compile_pillar()
            return
        identity = load_identity(opts)
        network = self._network or Connector(opts)
        names = masters.configured(opts, call=self._call)
        for group in [names] if takes_turns(opts) else [[name] for name in names]:
            attached = self._attach_one(group, identity, network)
            self._attached[attached.name] = attached
        grains = self.facts()
        grains.gather_grains()
        for attached in self._attached.values():
            attached.facts.grains = grains.grains

    def _attach_one(self, names: list[str], identity: MinionIdentity, network: Network) -> MasterConnection:
        return MasterConnection(
            names,
            self._opts,
            identity,
            network,
            bus=self._bus.bus,
            jobs=self._jobs,
            returns=self._returns,
            loader=self._loader,
            services=self._services(),
            resource_types=self._resource_types,
            requires_signature=self._requires_signature,
            on_connected=self._connected,
            on_trouble=lambda attached: self._settled.set(),
        )

    def _services(self) -> dict[str, Callable[[], Any]]:
        return {"events": lambda: self._bus, "jobs": lambda: self._jobs}

    def _start_loops(self) -> None:
        """Start the background loops: each is a greenlet of the supervisor."""
        periodic.start_loops(
            self._opts,
            supervisor=self.supervisor,
            bus=self._bus.bus,
            run_job=self.run_job,
            fire=self.fire,
        )
        self._clockwork.start()
        if not self._attached:
            self._clockwork.begin()

    def _measure(self) -> None:
        if not self._opts["metrics_port"]:
            return
        from salt_g.minion.background import minion_metrics

        self._metering = minion_metrics.metering(
            self._opts,
            self.supervisor,
            jobs=self._jobs,
            spool=self._spool,
            bus=self._bus.bus,
            sessions=lambda: (attached.session for attached in self._attached.values()),
        )
        self._metering.start()

    def _connected(self, attached: MasterConnection) -> None:
        self._settled.set()
        load = startup_job(self._opts)
        if load is not None and not self._was_connected:
            self.run_job(load, master=attached.name)
        self._was_connected = True
        self._clockwork.begin()

    def _facts_of(self, master: str) -> CallData:
        if self._local is not None:
            return self._local
        attached = self._attached.get(master) or next(iter(self._attached.values()))
        return attached.facts

    def _resources_of(self, master: str) -> ResourceManager | None:
        attached = self._attached.get(master)
        return None if attached is None else attached.managing

    def _resource_types(self) -> ResourceTypes:
        """Return the resource types, one set for all masters; loaded when first needed."""
        if self._types is None:
            from salt_g.minion.resources.types import ResourceTypes

            self._types = ResourceTypes(self._opts, self._loader)
        return self._types

    def _deliver(self, master: str, load: Mapping[str, Any]) -> None:
        self._returns.deliver(master, load)

    def _fire_to(self, master: str, tag: str, data: Mapping[str, Any]) -> None:
        for name, attached in self._attached.items():
            if master in ("", name):
                attached.outbox.fire(tag, dict(data))

    def _call(self, name: str) -> Any:
        """Call the execution function that returns the masters (`master_type: func`)."""
        with api.use(local_context(self._opts)) as context:
            try:
                return context.table("modules")[name]()
            except KeyError as exc:
                raise SaltGError(f"master_type is func, but there is no function {name!r}") from exc


def requires_signature(settings: Settings) -> bool:
    """Return whether publications must be signed: always, unless the settings disable it."""
    if settings.origins.get("sign_pub_messages", "default") == "default":
        return True
    if not settings.opts["sign_pub_messages"]:
        log.warning("sign_pub_messages is off: publications without a signature are accepted")
    return bool(settings.opts["sign_pub_messages"])
