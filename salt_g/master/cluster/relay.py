"""Relay of a cluster: applies the actions of other masters here, and reports ours to them.

Every publication of any master is sent to this master's minions in the order of the serials, once the minions
have the publish key or have had time to get it; meanwhile the log of the other masters is still read. Returns
and events of other masters reach subscribers here, except the reactor and returners, which act only on the
master where an event was fired.
Units: seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

import gevent
import gevent.queue

from salt_g.cache.jobs import Jobs
from salt_g.cluster.log import Log
from salt_g.cluster.sealing import Sealing
from salt_g.errors import StoreError, WireError
from salt_g.event import payloads, tags
from salt_g.event.bus import Bus
from salt_g.event.ring import Event
from salt_g.master.admission.sessions import MinionSessions
from salt_g.master.cluster.missed_jobs import MissedJobs
from salt_g.master.cluster.shared_publish_keys import SharedPublishKeys
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.master.publishing.publication_sender import PendingPublication, PublicationSender
from salt_g.master.publishing.publish_key_rollout import HOLD, PublishKeyRollout
from salt_g.process.supervisor import deadline_in
from salt_g.shapes.loads import JobLoad, is_job, is_return
from salt_g.wire.packing import unpack

log = logging.getLogger(__name__)

EVENT = "event"
#: Prefixes of the tags of events that concern one master only.
OF_ONE_MASTER = ("salt/auth", "salt/presence/", "salt/stats/", "salt/reactors/manage/")
#: Maximum number of events written before their commit is awaited.
STEP = 500
#: Maximum number of publications that wait for minions, above which reading of the log is suspended; pause
#: while the database does not answer.
MOST_WAITING, AGAIN = 1000, 0.5
#: Maximum number of publications encrypted in one go. One by one, each would wait for a thread and its
#: answer, and on busy processors the last ones would be too old before their turn comes.
AT_ONCE = 50


class _Waiting(NamedTuple):
    """Publication that waits for the minions of this master, until a deadline."""

    publication: PendingPublication
    until: float
    #: Whether the publication was sent again by the master to which minions have moved.
    is_repetition: bool


class Relay:
    """Relay in both directions. Lifecycle: `send_all` and `send_events`, each in a greenlet."""

    def __init__(
        self,
        *,
        bus: Bus,
        jobs: Jobs,
        publish_keys: SharedPublishKeys,
        running: ExpectedMinions,
        sender: PublicationSender,
        sessions: MinionSessions,
        shared: Log,
        sealing: Sealing,
        rotation: PublishKeyRollout,
        missed: MissedJobs,
        asked_about: Callable[[str, str], list[str]] = lambda jid, id: [],
        on_job: Callable[[JobLoad], None] = lambda load: None,
    ) -> None:
        """Initialize; `asked_about(jid, id)` returns the resources that a minion's answer to a query covers.

        `on_job` is called for each job of any master.
        """
        self._bus = bus
        self._jobs = jobs
        self._publish_keys = publish_keys
        self._running = running
        self._sender = sender
        self._sessions = sessions
        self._log = shared
        self._sealing = sealing
        self._rotation = rotation
        self._missed = missed
        self._asked_about = asked_about
        self._on_job = on_job
        self._outgoing: Any = gevent.queue.Queue(MOST_WAITING)

    def publish(self, serial: int, generation: int, job: bytes, ids: bytes, by_topic: bool) -> None:
        """Queue a publication for `send_all`; raise StoreError while its publish key cannot be read."""
        if generation > self._publish_keys.generation:
            self.adopt_key()
        load, names = self._opened(job, ids)
        if load is None:
            return
        self._jobs.follow(load["jid"])
        # The author of a query about resources expects the resources, not the minion that answers for them.
        self._running.add(load["jid"], [id for id in names if not self._asked_about(load["jid"], id)])
        self._on_job(load)
        is_repetition = not self._missed.note(load, names) and load.get("tgt_type") == "list"
        publication = PendingPublication(load, names, by_topic, serial)
        self._outgoing.put(_Waiting(publication, deadline_in(HOLD), is_repetition))

    def send_all(self) -> None:
        """Send publications to the minions of this master, until the greenlet ends."""
        while True:
            several = [self._outgoing.get()]
            while len(several) < AT_ONCE and not self._outgoing.empty():
                several.append(self._outgoing.get())
            sent = [one for one in several if self._has_any(one)]
            while sent and not self._are_sent(sent):
                gevent.sleep(AGAIN)

    def _has_any(self, one: _Waiting) -> bool:
        """Return whether to send a publication here; a repetition is sent only if its minions are here.

        Otherwise every minion of this master would receive it needlessly. The minions of the repetition
        may move to this master later.
        """
        if not one.is_repetition or self._missed.has_any(one.publication.ids):
            return True
        self._missed.note_sent(one.publication.job, one.publication.ids, ())
        return False

    def _are_sent(self, several: list[_Waiting]) -> bool:
        """Send publications; return False while their publish key cannot be read from the database.

        Minions without that key may get a newer one when they sign in for it.
        """
        self._rotation.wait(until=several[-1].until)
        try:
            self._sessions.end_revoked()
            behind = [self._rotation.behind(one.publication.ids) for one in several]
            errors = self._sender.send_many([one.publication for one in several])
        except StoreError as exc:
            log.debug("job %s is not sent yet: %s", several[0].publication.job["jid"], exc)
            return False
        for one, unread, error in zip(several, behind, errors, strict=True):
            job, ids = one.publication.job, one.publication.ids
            if error is None:
                self._missed.note_sent(job, ids, unread | self._rotation.behind(ids))
            else:
                log.error("job %s was not sent to the minions of this master: %s", job["jid"], error)
        return True

    def note_earlier(self, job: bytes, ids: bytes, age: float) -> None:
        """Record a publication from before this master's start, which minions here may have missed."""
        load, names = self._opened(job, ids)
        if load is not None:
            self._missed.note(load, names, age)

    def _opened(self, sealed: bytes, ids: bytes) -> tuple[JobLoad | None, list[str]]:
        """Return a job sealed by a master of this cluster, and its ids; (None, []) for anything else."""
        try:
            load, names = unpack(self._sealing.open_job(sealed)), unpack(ids)
        except WireError as exc:
            log.error("ignored a job in the database that was not made by a master of this cluster: %s", exc)
            return None, []
        return (load, [str(id) for id in names]) if is_job(load) and isinstance(names, list) else (None, [])

    def adopt_key(self, name: str = "", body: bytes = b"") -> None:
        """Switch to the publish key that another master made, if there is one."""
        if self._publish_keys.adopt():
            self._rotation.begin()

    def is_return_wanted(self, jid: str, id: str) -> bool:
        """Return whether a subscriber here wants a return that another master stored."""
        return self._bus.is_wanted_of_others(tags.job_return(jid, id))

    def deliver_return(self, jid: str, id: str, data: bytes) -> None:
        """Fire the event of a return that another master stored."""
        if not self.is_return_wanted(jid, id):
            return
        load = {"cmd": "_return", **unpack(data), "id": id, "jid": jid}
        if not is_return(load):
            return
        try:
            for name in self._meant(jid, id):
                self._bus.deliver_payload(payloads.job_return({**load, "id": name}))
        except (StoreError, WireError) as exc:
            log.warning("%s: cannot fire the event for its return of job %s: %s", id, jid, exc)

    def _meant(self, jid: str, id: str) -> list[str]:
        """Return the ids that a return stands for; an answer to a query covers several resources."""
        resources = self._asked_about(jid, id)
        if resources and id not in self._jobs.get_expected(jid):
            return resources
        return [id, *resources]

    def deliver_event(self, tag: str, body: bytes) -> None:
        """Fire an event of another master."""
        try:
            if self._bus.is_wanted_of_others(tag):
                self._bus.deliver(body)
        except WireError as exc:
            log.warning("an event %s of another master is unreadable: %s", tag, exc)

    def send_events(self) -> None:
        """Relay the events fired here to the other masters, until the greenlet ends."""
        events = self._bus.subscribe_by(_is_announced, name="cluster", is_packed=True, is_own=True)
        while True:
            event = events.get()
            sent, returns = [], 0
            while event is not None:
                if _is_return(event):
                    returns += 1
                else:
                    sent.append(self._log.announce(EVENT, event.tag, event.body))
                event = events.take() if len(sent) < STEP else None
            self._await(sent)
            if returns:
                self._log.ring_for_returns(returns)
            if sent:
                self._log.ring()

    def _await(self, sent: list[Any]) -> None:
        try:
            for future in sent:
                if future is not None:
                    future.result()
        except (StoreError, TimeoutError) as exc:
            log.warning("cannot pass events on to the other masters: %s", exc)


def _is_announced(tag: str) -> bool:
    return not tag.startswith(OF_ONE_MASTER)


def _is_return(event: Event) -> bool:
    """Return whether an event is that of a return, which other masters read from the store."""
    parts = event.tag.split("/")
    return len(parts) == 5 and parts[:2] == ["salt", "job"] and parts[3] == "ret"
