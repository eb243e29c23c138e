"""Connection to one master: session, call data, outgoing events, refreshes.

A minion with several masters has several connections, which share its plugins, jobs, returns and bus.
Source: wire specification, section 13.4.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import gevent
import gevent.event

from salt_g.event.bus import Bus
from salt_g.minion.call_data import CallData
from salt_g.minion.connection import masters
from salt_g.minion.connection.event_outbox import EventOutbox
from salt_g.minion.connection.incoming_jobs import IncomingPublications
from salt_g.minion.connection.minion_identity import MinionIdentity
from salt_g.minion.connection.readiness import Readiness
from salt_g.minion.connection.seen_jobs import MatchedJob, SeenJobs
from salt_g.minion.connection.session import MasterSession, Network
from salt_g.minion.jobs.read_set_sender import ReadSetSender
from salt_g.minion.jobs.return_sender import ReturnSender
from salt_g.minion.jobs.running_jobs import JobOrigin, RunningJob, RunningJobs
from salt_g.minion.jobs.step_sender import StepSender
from salt_g.minion.refresh_events import PILLAR_DONE, RefreshEvents
from salt_g.minion.resources.resource_manager import ResourceManager
from salt_g.minion.settings import ConnectionSettings, MinionResourceSettings
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.services.daemons import Asking
from salt_g.shapes.loads import JobLoad
from salt_g.wire.publications import BROADCAST, topic_of

if TYPE_CHECKING:
    from salt_g.minion.resources.types import ResourceTypes

log = logging.getLogger(__name__)


class MasterConnection:
    """Connection to one master or to one of a `failover` list. Lifecycle: `start`, ended by its supervisor.

    `make_call_data(channel, services)` creates the call data for this master's jobs.
    """

    def __init__(
        self,
        names: Sequence[str],
        settings: ConnectionSettings,
        identity: MinionIdentity,
        network: Network,
        *,
        bus: Bus,
        jobs: RunningJobs,
        returns: ReturnSender,
        make_call_data: Callable[[Asking, Mapping[str, Callable[[], Any]]], CallData],
        resource_types: Callable[[], ResourceTypes],
        requires_signature: bool,
        readiness: Readiness,
        seen: SeenJobs | None = None,
    ) -> None:
        self._settings = settings.start
        self._bus = bus
        self._jobs = jobs
        self._lacks_pillar: Any = gevent.event.Event()
        self._readiness = readiness
        self.session = self._session(names, settings, identity, network)
        self.name = self.session.name
        channel = self.session.channel
        self.call_data: CallData = make_call_data(channel, {"resources": self._resources})
        self.outbox = EventOutbox(channel)
        self.steps = StepSender(channel, settings.start.id, is_wanted=partial(channel.takes, "steps"))
        self.read_sets = ReadSetSender(is_wanted=partial(channel.takes, "read_sets"))
        self.publications: IncomingPublications = IncomingPublications(
            channel,
            settings.incoming_jobs,
            match=self._match,
            on_job=self._start_job,
            requires_signature=requires_signature,
            seen=seen,
            arrived=self.session.arrived,
        )
        self.resource_manager: ResourceManager = self._manager(settings.resources, returns, resource_types)
        deliver = partial(returns.deliver, self.name)
        self.origin = JobOrigin(
            self.call_data,
            deliver=deliver,
            fire=self.outbox.fire,
            resources=self.resource_manager,
            master=self.name,
            record_steps=self.steps.record,
            wants_digests=partial(channel.takes, "digests"),
            read_sets=self.read_sets,
        )
        self._refresh_events = RefreshEvents(
            self.call_data,
            self.outbox,
            bus,
            deliver=deliver,
            register_resources=self.resource_manager.refresh,
            renew_resources=self.resource_manager.renew,
        )

    def start(self, supervisor: Supervisor) -> None:
        """Start the greenlets that connect, subscribe, and send and handle events."""
        supervisor.spawn(self._refresh_events.run, name=f"refreshing {self.name}")
        supervisor.spawn(self.outbox.run, name=f"outbox {self.name}")
        supervisor.spawn(self.steps.run, name=f"steps {self.name}")
        supervisor.spawn(self.resource_manager.run, name=f"resources {self.name}")
        pillar = PeriodicLoop("pillar", self._ask_for_pillar, 0.0)
        supervisor.spawn(pillar.run, name=f"pillar {self.name}")
        supervisor.spawn(self.session.run, name=f"session {self.name}")

    def _session(
        self, names: Sequence[str], settings: ConnectionSettings, identity: MinionIdentity, network: Network
    ) -> MasterSession:
        """Return the session with the first of these masters that accepts us."""
        return MasterSession(
            masters.places_of(names, settings.masters),
            settings.session,
            settings.channel,
            identity,
            network,
            topics=_topics(settings),
            on_connected=self._connected,
            on_frames=self._take_publication,
            on_trouble=self._readiness.note_trouble,
            grains=self._grains,
        )

    def _manager(
        self, settings: MinionResourceSettings, returns: ReturnSender, types: Callable[[], ResourceTypes]
    ) -> ResourceManager:
        """Return the resource manager, which sends returns to this master."""
        return ResourceManager(
            settings,
            self.call_data,
            types=types,
            deliver=partial(returns.deliver_many, self.name),
            returns_many=partial(returns.takes_many, self.name),
        )

    def _take_publication(self, frames: Sequence[bytes]) -> None:
        self.publications.take(frames)

    def _start_job(self, load: JobLoad, matched: MatchedJob) -> None:
        if "pillar_secrets" in load:
            from salt_g.pillar.secret_paths import learn_from_job  # Imported lazily: for secrets only.

            learn_from_job(load)
        self._jobs.start(RunningJob(load, self.origin, is_own=matched.is_own, resources=matched.resources))

    def _grains(self) -> Mapping[str, Any]:
        return self.call_data.grains

    def _resources(self) -> ResourceManager:
        return self.resource_manager

    def _connected(self, is_new: bool) -> None:
        """Prepare for jobs after a connection; send the start event if the master is new."""
        if is_new:
            self.read_sets.forget()
            self.resource_manager.forget_master()
        if is_new or not self.call_data.has_pillar:
            self._take_pillar()
        log.info("minion %s is ready for jobs of master %s", self._settings.id, self.session.place.name)
        if is_new:
            self._fire_start()
            self.resource_manager.refresh()
        else:
            self.resource_manager.register()
        self._readiness.note_connected(self.origin)
        self._jobs.resume(self.origin)

    def _take_pillar(self) -> None:
        """Request pillar; if it arrives, notify schedule and beacons, except at the first connection."""
        if not self.call_data.compile_pillar():
            self._lacks_pillar.set()
        elif self.session.connections > 1:
            self._bus.fire(PILLAR_DONE, {"complete": True})

    def _ask_for_pillar(self) -> None:
        """Wait for a failed pillar request; repeat it after a pause unless there is pillar."""
        self._lacks_pillar.wait()
        gevent.sleep(self._settings.acceptance_wait_time)
        if self.call_data.has_pillar:
            self._lacks_pillar.clear()
        elif self.session.is_connected and self.call_data.compile_pillar():
            self._bus.fire("resource_refresh", {})
            self._bus.fire(PILLAR_DONE, {"complete": True})

    def _fire_start(self) -> None:
        text = f"Minion {self._settings.id} started at {time.asctime()}"
        wanted = self._settings.start_event_grains
        shown = {name: value for name, value in self.call_data.grains.items() if name in wanted}
        fields = {"grains": shown} if wanted else {}
        if self._settings.enable_legacy_startup_events:
            self.outbox.fire("minion_start", text, pretag=None, **fields)
        self.outbox.fire(f"salt/minion/{self._settings.id}/start", text, pretag=None, **fields)

    def _match(self, load: JobLoad) -> MatchedJob:
        """Return the addressees of a job; raise TargetError if its target is invalid."""
        return MatchedJob(self.call_data.matches(load), self.resource_manager.selected(load))


def _topics(settings: ConnectionSettings) -> tuple[bytes, ...]:
    """Return the topics to subscribe to: all (or broadcasts if the master filters), and our own topic."""
    return (BROADCAST if settings.is_filtered else b"", topic_of(settings.start.id))
