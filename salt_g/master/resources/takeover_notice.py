"""Notices to standby minions that a resource is free, so that they renew at once.

A lost holder sends nothing; only the clock shows that its lease has ended. A renewing minion gets the free
resources (`ownership.py`), so a lost notice costs a third of a lease and nothing else.
Shapes: the notice is a job that fires `TAG` on the minion's own bus; its returns are dropped.
Units: seconds.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from salt_g.data import jid as jids
from salt_g.errors import SaltGError
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.ownership import Ownership
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.process.periodic_loop import PeriodicLoop

log = logging.getLogger(__name__)

#: Event tag on a minion's bus that makes it renew its leases.
TAG = "resource_renew"
#: Longest pause between two checks of the leases; the pause is shorter with short leases, see `LOOKS`.
LONGEST_PAUSE = 1.0
#: Number of checks during one lease.
LOOKS = 20
#: Number of recent notices whose returns are still recognized.
MESSAGES = 1000
#: User of the notice, which minions log.
USER = "fail-over of resources"

#: Function that publishes a job for the given ids.
Send = Callable[[Mapping[str, Any], Sequence[str]], None]


class TakeoverNotice:
    """Watcher that notifies standby minions of free resources; lifecycle: `run(send)` in a greenlet.

    `decides` returns whether this master decides about resources; in a cluster only the leader does.
    """

    def __init__(
        self,
        registry: ResourceRegistry,
        leases: GrantedLeases,
        ownership: Ownership,
        *,
        decides: Callable[[], bool] = lambda: True,
    ) -> None:
        self._registry = registry
        self._leases = leases
        self._ownership = ownership
        self._decides = decides
        self._notified: set[str] = set()
        self._jids: deque[str] = deque(maxlen=MESSAGES)

    def run(self, send: Send) -> None:
        """Notify standby minions until the greenlet ends."""
        pause = min(LONGEST_PAUSE, self._leases.length / LOOKS)
        PeriodicLoop("fail-over of resources", partial(self._check, send), pause, first=pause).run()

    def heirs(self) -> list[str]:
        """Return the minions for which a resource has become free since the last check, sorted."""
        over = {
            id
            for id in self._registry.minions()
            if self._leases.takes_leases(id) and not self._leases.is_living(id)
        }
        ended = over - self._notified
        self._notified = over
        free = [record for id in ended for record in self._registry.held(id)]
        waiting = {id for record in free for id in record.standby}
        waiting.update(_minions(self._ownership.take_freed()))
        return sorted(waiting - over)

    def is_message(self, jid: Any) -> bool:
        """Return whether this is the jid of a notice, whose returns are dropped."""
        return jid in self._jids

    def note(self, job: Mapping[str, Any]) -> None:
        """Record a job that another master published, if it is a notice."""
        if job.get("user") == USER and job["arg"][1:] == [TAG]:
            self._jids.append(job["jid"])

    def _check(self, send: Send) -> None:
        heirs = self.heirs()
        if heirs and self._decides():
            self._send_notice(send, heirs)

    def _send_notice(self, send: Send, heirs: list[str]) -> None:
        jid = jids.make()
        self._jids.append(jid)
        job = {"fun": "event.fire", "arg": [{}, TAG], "tgt": heirs, "tgt_type": "list"}
        log.info("resources are free for %s", ", ".join(heirs[:10]))
        try:
            send({**job, "jid": jid, "ret": "", "user": USER}, heirs)
        except (SaltGError, OSError) as exc:
            log.warning("%d minions not notified of free resources; they will ask later: %s", len(heirs), exc)


def _minions(records: Iterable[Record]) -> set[str]:
    return {record.minion for record in records}
