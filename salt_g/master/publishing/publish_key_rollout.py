"""Rollout of a new publish key, a few minions at a time.

After a minion was revoked, nothing may be published under the key that it knows. So that not all minions
sign in at once, at the next job, each minion first receives a re-authentication notice: one last
publication under the old key, without secrets, asks every minion to fire an event after a random delay
(stock's executor `splay`). The event of a minion with the old key is refused as if its session were over,
so the minion signs in and fires it again. (It is an event because a stock minion sends events from the
process that has subscribed.) A job published meanwhile waits, for a limited time, until the connected
minions have signed in; a later minion signs in because of that job, as with stock.
Units: seconds.
Source: wire specification, sections 6.4 and 7.4; decision 3.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

import gevent.event

from salt_g.data import jid as jids
from salt_g.errors import NoReply, SealBroken, WireError
from salt_g.master.admission.sessions import MinionSession, SessionTable
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.process.supervisor import Supervisor, deadline_in, seconds_until
from salt_g.shapes.loads import RENEWAL_USER, JobLoad
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Maximum number of provoked sign-ins per second, which take a quarter of a processor.
PER_SECOND = 100
#: Longest time over which the minions' answers are spread, and longest wait of a job for them.
LONGEST = 60
HOLD = 5.0
#: Number of recent notices whose returns are still recognized; a minion answers within `LONGEST`.
MOST_NOTICES = 100
#: Tag of the event that makes minions sign in.
TAG = "publish-key/renewed"


class PublishKeyRollout:
    """Re-authentication of minions after the publish key was replaced.

    `send` publishes a job under the previous key; `connected` returns the connected minions.
    """

    def __init__(
        self,
        *,
        sessions: SessionTable,
        publish_keys: PublishKeys,
        connected: Callable[[], set[str]],
        send: Callable[[JobLoad], None],
        supervisor: Supervisor,
    ) -> None:
        self._sessions = sessions
        self._publish_keys = publish_keys
        self._connected = connected
        self._send = send
        self._supervisor = supervisor
        self._waited_for: set[str] = set()
        #: Minions with a session here that do not have the current key, connected or not.
        self._behind: set[str] = set()
        self._jids: deque[str] = deque(maxlen=MOST_NOTICES)
        self._until = deadline_in(0)
        self._done = gevent.event.Event()
        self._done.set()

    def begin(self) -> None:
        """Notify the minions that know the publish key that has just expired.

        This includes the revoked minion, which learns that its session is over and asks for admission again.
        """
        generation, connected = self._publish_keys.generation, self._connected()
        self._behind = {session.id for session in self._sessions if 0 < session.generation < generation}
        self._waited_for = self._behind & connected
        if self._waited_for:
            self._done.clear()
            self._until = deadline_in(HOLD)
        else:
            self._done.set()
        self._supervisor.spawn(self._notify_all, len(self._waited_for), name=RENEWAL_USER)

    def wait(self, *, until: float = math.inf) -> None:
        """Wait until the connected minions have the new key, for a limited time.

        `until` is a deadline of the caller.
        """
        self._done.wait(seconds_until(min(self._until, until)))

    def behind(self, ids: Collection[str]) -> set[str]:
        """Return the ids in `ids` with a session here that cannot decrypt what is published now."""
        return self._behind.intersection(ids) if self._behind else set()

    def signed_in(self, id: str) -> None:
        """Record that a minion was given the publish key, unless the key was replaced meanwhile."""
        session = self._sessions.get(id)
        if session is not None and session.generation < self._publish_keys.generation:
            self._behind.add(id)
            return
        self._behind.discard(id)
        self._waited_for.discard(id)
        if not self._waited_for:
            self._done.set()

    def check(self, session: MinionSession, request: SealedRequest) -> None:
        """Raise SealBroken for the event of a notified minion that has not signed in yet."""
        load = request.load
        is_answer = load.get("tag") == TAG and load.get("cmd") == "_minion_event"
        if is_answer and session.generation < self._publish_keys.generation:
            raise SealBroken(f"{session.id} must sign in for the new publish key")

    def is_notice(self, jid: Any) -> bool:
        """Return whether this is the jid of a notice, whose returns are dropped."""
        return isinstance(jid, str) and jid in self._jids

    def reauthentication_notice(self, ids: Sequence[str]) -> JobLoad:
        """Return a job that makes these minions fire an event."""
        return self._notice(list(ids), "list", len(ids))

    def _notify_all(self, count: int) -> None:
        log.info("notifying %d minions and the revoked one to sign in for the new publish key", count)
        try:
            self._send(self._notice("*", "glob", max(1, count)))
        except (NoReply, WireError) as exc:
            log.warning("minions could not be notified, so they will sign in with the next job: %s", exc)

    def _notice(self, tgt: Any, tgt_type: str, count: int) -> JobLoad:
        """Return a job in which each of `count` minions fires an event after a random delay."""
        jid = jids.make()
        self._jids.append(jid)
        return {
            "fun": "event.fire_master",
            "arg": [{}, TAG],
            "tgt": tgt,
            "tgt_type": tgt_type,
            "jid": jid,
            "ret": "",
            "user": RENEWAL_USER,
            "module_executors": ["splay", "direct_call"],
            "executor_opts": {"splaytime": min(LONGEST, max(1, math.ceil(count / PER_SECOND)))},
        }
