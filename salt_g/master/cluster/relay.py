"""Relay of a cluster: what other masters did takes effect here, and they are told what happened here.

Every publication of any master goes to the minions of this one in the order of the serials. Returns and
events of other masters reach those who listen here; reactor and returners leave them to the master where
they happened.
Units: seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.cluster.log import Log
from salt_g.errors import NoReply, StoreError, WireError
from salt_g.event import payloads, tags
from salt_g.event.bus import Bus
from salt_g.event.ring import Event
from salt_g.master.admission.sessions import Sessions
from salt_g.master.cluster.shared_publish_keys import SharedPublishKeys
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.master.publishing.publication_sender import PublicationSender
from salt_g.shapes.loads import JobLoad, is_job, is_return
from salt_g.wire.packing import unpack

log = logging.getLogger(__name__)

EVENT = "event"
#: Events that concern one master only, by the beginnings of their tags.
OF_ONE_MASTER = ("salt/auth", "salt/presence/", "salt/stats/", "salt/reactors/manage/")
#: Events told in one step before their commit is awaited.
STEP = 500


class Relay:
    """Both directions; `adopted` is called after another master replaced the publish key."""

    def __init__(
        self,
        *,
        bus: Bus,
        jobs: Jobs,
        publish_keys: SharedPublishKeys,
        running: ExpectedMinions,
        sender: PublicationSender,
        sessions: Sessions,
        shared: Log,
        adopted: Callable[[], None],
        note: Callable[[JobLoad, list[str], float], None],
    ) -> None:
        """Initialize; `note` is called for each relayed job with its addressees and its age (s)."""
        self._bus = bus
        self._jobs = jobs
        self._publish_keys = publish_keys
        self._running = running
        self._sender = sender
        self._sessions = sessions
        self._log = shared
        self._adopted = adopted
        self._note = note

    def publish(self, serial: int, generation: int, job: bytes, ids: bytes, by_topic: bool) -> None:
        """Send a publication to the minions of this master; raise StoreError while it cannot be sealed."""
        if generation > self._publish_keys.generation:
            self.adopt_key()
        load, names = unpack(job), list(unpack(ids))
        if not is_job(load):
            return
        self._jobs.follow(load["jid"])
        self._running.add(load["jid"], names)
        self._note(load, names, 0.0)
        self._sessions.end_revoked()
        try:
            self._sender.send(load, names, by_topic=by_topic, serial=serial)
        except (NoReply, WireError) as exc:
            log.error("job %s was not sent to the minions of this master: %s", load["jid"], exc)

    def note_earlier(self, job: bytes, ids: bytes, age: float) -> None:
        """Note a publication of the time before this master started, which its minions may have missed."""
        load = unpack(job)
        if is_job(load):
            self._note(load, list(unpack(ids)), age)

    def adopt_key(self, name: str = "", body: bytes = b"") -> None:
        """Use the publish key that another master made, if it did."""
        if self._publish_keys.adopt():
            self._adopted()

    def deliver_return(self, jid: str, id: str, data: bytes) -> None:
        """Fire the event of a return that another master stored."""
        if not self._bus.is_wanted_of_others(tags.job_return(jid, id)):
            return
        load = {"cmd": "_return", **unpack(data), "id": id, "jid": jid}
        if not is_return(load):
            return
        try:
            self._bus.deliver_draft(payloads.job_return(load))
        except WireError as exc:
            log.warning("%s: cannot fire the event of its return of %s: %s", id, jid, exc)

    def deliver_event(self, tag: str, body: bytes) -> None:
        """Fire an event of another master."""
        try:
            if self._bus.is_wanted_of_others(tag):
                self._bus.deliver(body)
        except WireError as exc:
            log.warning("an event %s of another master is unreadable: %s", tag, exc)

    def tell_events(self) -> None:
        """Tell the other masters the events that are fired here, until the greenlet ends."""
        events = self._bus.subscribe_by(_is_told, name="cluster", is_packed=True, is_own=True)
        while True:
            event = events.get()
            told = []
            while event is not None:
                if not _is_return(event):
                    told.append(self._log.tell(EVENT, event.tag, event.body))
                event = events.take() if len(told) < STEP else None
            self._await(told)
            self._log.ring()

    def _await(self, told: list[Any]) -> None:
        try:
            for future in told:
                if future is not None:
                    future.result()
        except (StoreError, TimeoutError) as exc:
            log.warning("other masters were not told of events: %s", exc)


def _is_told(tag: str) -> bool:
    return not tag.startswith(OF_ONE_MASTER)


def _is_return(event: Event) -> bool:
    """Return whether an event is told by the stored return itself."""
    parts = event.tag.split("/")
    return len(parts) == 5 and parts[:2] == ["salt", "job"] and parts[3] == "ret"
