"""Minion daemon: start and stop, in order, of the parts that `composition.py` creates.

Each part has its own file. Begin with `session.py` (finding a master), then `incoming_jobs.py`,
`running_jobs.py`, `job_runner.py`, `return_sender.py` (the path of a job through the minion).
Units: seconds.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import gevent

from salt_g.config import Settings
from salt_g.minion.background import periodic
from salt_g.minion.background.hub_watchdog import HubWatchdog
from salt_g.minion.composition import (
    BackgroundParts,
    Connections,
    compose_background,
    compose_connections,
    compose_jobs,
    fire,
)
from salt_g.minion.connection.session import Network
from salt_g.minion.jobs.job_function import interruption
from salt_g.minion.settings import PeriodicSettings
from salt_g.process import privileges
from salt_g.process.supervisor import Supervisor

#: How long startup waits for a master before the minion reports that it is ready (s).
START_TIMEOUT = 30.0


class Minion:
    """Daemon of one minion. Lifecycle: `start`, then `wait` of its supervisor, then `stop`."""

    def __init__(self, settings: Settings, *, network: Network | None = None) -> None:
        self.supervisor = Supervisor("minion")
        self._settings = settings
        self._opts = opts = settings.opts
        self._network = network
        self._shared = compose_jobs(opts, self.supervisor)
        self._watchdog = HubWatchdog(float(opts["hub_warn_interval"])) if opts["hub_warn_interval"] else None
        #: Set when the minion starts.
        self._connections: Connections | None = None
        self._background: BackgroundParts | None = None

    def start(self) -> None:
        """Start all parts; return when a master has accepted this minion, or after a timeout."""
        opts, shared = self._opts, self._shared
        privileges.prepare(
            str(opts["user"]), [str(opts[name]) for name in ("pki_dir", "cachedir", "sock_dir")]
        )
        privileges.become(str(opts["user"]))
        if self._watchdog is not None:
            self._watchdog.start()
        if opts.get("random_startup_delay"):
            gevent.sleep(random.uniform(0, float(opts["random_startup_delay"])))
        shared.seen.note_begun(shared.files.clear())
        shared.seen.note_begun(shared.queued.open())
        shared.bus.start()
        self._connections = connections = compose_connections(self._settings, shared, self._network)
        self._background = background = compose_background(opts, shared, connections)
        _load_data(connections)
        # A job whose return was on disk before the minion ended was not interrupted.
        owed = list(shared.spool.open())
        interrupted = [
            one
            for one in shared.files.interrupted
            if not any(name.startswith(str(one.job["jid"])) for name in owed)
        ]
        shared.returns.start({one.name: one.session.channel for one in connections.masters})
        for each in interrupted:
            shared.returns.deliver(each.master, interruption(each.job))
        shared.seen.note_begun(shared.returns.owed())
        for one in connections.masters:
            one.start(self.supervisor)
        self._start_background(connections, background)
        if connections.masters:
            shared.readiness.settled.wait(START_TIMEOUT)

    def status(self) -> dict[str, Any]:
        """Return the status fields for the service manager."""
        masters = self._connections.masters if self._connections is not None else ()
        connected = [one.session.place.name for one in masters if one.session.is_connected]
        state = f"connected to {', '.join(connected)}" if connected else "not connected to a master yet"
        return {"STATUS": state if masters else "without a master", "X_CONNECTED": len(connected)}

    def stop(self) -> bool:
        """Stop all parts; returns that were not sent stay on disk. Always return True."""
        masters = self._connections.masters if self._connections is not None else ()
        self._shared.jobs.stop(timeout=float(self._opts["job_stop_timeout"]))
        self._shared.bus.stop()
        for one in masters:
            one.resource_manager.shut_down()
        if self._background is not None and self._background.metrics is not None:
            self._background.metrics.stop()
        self.supervisor.stop()
        if self._watchdog is not None:
            self._watchdog.stop()
        for one in masters:
            one.session.channel.close()
        return True

    def _start_background(self, connections: Connections, background: BackgroundParts) -> None:
        """Start the background loops, each in a greenlet of the supervisor."""
        shared = self._shared
        periodic.start_loops(
            PeriodicSettings.of(self._opts),
            supervisor=self.supervisor,
            bus=shared.bus.bus,
            run_job=partial(shared.own_jobs.run, connections.own),
            fire=partial(fire, connections.masters),
        )
        background.automation.start()
        if not connections.masters:
            shared.readiness.note_masterless()
        if background.metrics is not None:
            background.metrics.start()


def _load_data(connections: Connections) -> None:
    """Gather the grains, which the first sign-in may need; without a master, also compile pillar."""
    first = connections.call_data
    first.gather_grains()
    if not connections.masters:
        first.compile_pillar()
    for one in connections.masters:
        one.call_data.grains = first.grains
