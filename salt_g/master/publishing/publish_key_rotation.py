"""Bring the fleet to a new publish key, a few minions at a time.

Why its own file: after a minion was cut off nothing may be published under the key that it knows, and a
stock minion signs in for a new one when a publication does not open: all of them at once, at the next job.
So they are invited before. One last publication goes out under the old key, which says nothing: everybody
is to fire an event, after a moment of its own (stock's executor `splay`). The events of those who have the
old key are refused, as if the session were over, and a minion then signs in and fires again. (An event,
because a stock minion sends it from the process that has subscribed.) A job that comes meanwhile waits
until those who are connected have done so, but not for long; whoever is late then signs in because of it,
as with stock.
Units: seconds.
Source: wire specification, sections 6.4 and 7.4.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gevent.event

from salt_g.data import jid as jids
from salt_g.errors import NoReply, SealBroken, WireError
from salt_g.master.admission.sessions import Session, Sessions
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.process.supervisor import Supervisor, deadline_in, seconds_until
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Sign-ins that are provoked in a second: a quarter of a processor.
PER_SECOND = 100
#: Longest time over which answers are spread, and longest time that a job waits for them.
LONGEST = 60
HOLD = 5.0
#: Invitations whose returns are still recognised; who is invited answers within `LONGEST`.
INVITATIONS = 100
#: Tag of the event.
TAG = "publish-key/renewed"
#: User of the invitation, as minions log it.
USER = "renewal of the publish key"


class PublishKeyRotation:
    """Invites minions. `send` publishes a job under the previous key; `connected` gives who is there."""

    def __init__(
        self,
        *,
        sessions: Sessions,
        publish_keys: PublishKeys,
        connected: Callable[[], set[str]],
        send: Callable[[Mapping[str, Any]], None],
        supervisor: Supervisor,
    ) -> None:
        self._sessions = sessions
        self._publish_keys = publish_keys
        self._connected = connected
        self._send = send
        self._supervisor = supervisor
        self._waited_for: set[str] = set()
        self._jids: deque[str] = deque(maxlen=INVITATIONS)
        self._until = deadline_in(0)
        self._done = gevent.event.Event()
        self._done.set()

    def begin(self) -> None:
        """The key has just expired: invite those who knew it."""
        generation, connected = self._publish_keys.generation, self._connected()
        self._waited_for = {
            session.id
            for session in self._sessions
            if 0 < session.generation < generation and session.id in connected
        }
        if not self._waited_for:
            self._done.set()
            return
        self._done.clear()
        self._until = deadline_in(HOLD)
        self._supervisor.spawn(self._invite, len(self._waited_for), name="renewal of the publish key")

    def wait(self) -> None:
        """Wait until the minions that are there have the new key, or long enough."""
        self._done.wait(seconds_until(self._until))

    def signed_in(self, id: str) -> None:
        """Note that a minion has the key in use."""
        self._waited_for.discard(id)
        if not self._waited_for:
            self._done.set()

    def check(self, session: Session, request: SealedRequest) -> None:
        """Refuse the event of a minion that was invited to sign in and has not done so yet."""
        load = request.load
        is_answer = load.get("tag") == TAG and load.get("cmd") == "_minion_event"
        if is_answer and session.generation < self._publish_keys.generation:
            raise SealBroken(f"{session.id} is to sign in for the new publish key")

    def is_invitation(self, jid: Any) -> bool:
        """Return whether this is the jid of an invitation, whose returns nobody needs."""
        return isinstance(jid, str) and jid in self._jids

    def invitation(self, ids: Sequence[str]) -> dict[str, Any]:
        """Return a job that makes these minions be heard."""
        return self._invitation(list(ids), "list", len(ids))

    def _invite(self, count: int) -> None:
        log.info("%d minions are invited to sign in for the new publish key", count)
        try:
            self._send(self._invitation("*", "glob", count))
        except (NoReply, WireError) as exc:
            log.warning("minions were not invited, they will sign in with the next job: %s", exc)

    def _invitation(self, tgt: Any, tgt_type: str, count: int) -> dict[str, Any]:
        """Return the job in which each of `count` minions fires an event, after a moment of its own."""
        jid = jids.make()
        self._jids.append(jid)
        return {
            "fun": "event.fire_master",
            "arg": [{}, TAG],
            "tgt": tgt,
            "tgt_type": tgt_type,
            "jid": jid,
            "ret": "",
            "user": USER,
            "module_executors": ["splay", "direct_call"],
            "executor_opts": {"splaytime": min(LONGEST, max(1, math.ceil(count / PER_SECOND)))},
        }
