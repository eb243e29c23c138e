"""Filter for the events that a user may see.

`auth/sight.py` decides which events of jobs, calls and keys are visible. All other events need the permission
`@events`, or the right to every function on all minions.
"""

from __future__ import annotations

import collections

from salt_g.auth.sight import Sight
from salt_g.event import tags
from salt_g.http_api.event_log import EventOrigin, LoggedEvent

#: Maximum number of decisions remembered per user.
_REMEMBERED = 2_000
_KINDS = {"run": "runner", "wheel": "wheel"}
_OF_KEYS = (tags.AUTH, tags.KEY)


class EventRights:
    """Event filter for one user."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._decided: collections.OrderedDict[int, tuple[EventOrigin, bool]] = collections.OrderedDict()

    def may_see(self, event: LoggedEvent) -> bool:
        """Return whether the user may see an event."""
        if event.work is None:
            if event.tag.startswith(_OF_KEYS):
                return self._sight.sees_keys
            return self._sight.is_full
        return self._may_see_work(event.work)

    def _may_see_work(self, work: EventOrigin) -> bool:
        if work.large:
            # Not remembered, because a remembered decision would keep the large arguments in memory.
            return self._decide(work)
        known = self._decided.get(id(work))
        # A decision holds a reference to its `work`, so no other object can have the same id().
        if known is None:
            known = self._decided[id(work)] = (work, self._decide(work))
            if len(self._decided) > _REMEMBERED:
                self._decided.popitem(last=False)
        return known[1]

    def _decide(self, work: EventOrigin) -> bool:
        if work.kind == "job":
            return self._sight.may_see_job(work.user, work.fun, work.arg, work.minions)
        kind = _KINDS[work.kind]
        return self._sight.may_see_call(work.user, kind, str(work.fun).removeprefix(f"{kind}."))
