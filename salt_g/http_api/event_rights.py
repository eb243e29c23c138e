"""Which events a user may see: those of what the user does, or may do.

Own jobs and calls; jobs of others on minions where the user may order the same; calls of others that the user
may make. Keys and sign-ins belong to those who may list keys. The rest needs the permission `@events`, or
the right to every function on all minions.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

from salt_g.auth.permissions import ALWAYS_ALLOWED, Call, allows, allows_function, calls_of
from salt_g.event import tags
from salt_g.http_api.event_log import EventOrigin, LoggedEvent

#: Permission to see all events.
ALL = "@events"
#: Most decisions remembered for one user.
_REMEMBERED = 2_000
#: Name of a function that no plugin has: who may call it may call every one.
_ANY_FUNCTION = "api.any_function"
_KINDS = {"run": "runner", "wheel": "wheel"}
_OF_KEYS = (tags.AUTH, tags.KEY)


class EventRights:
    """What one user may see; `ids_of` resolves the targets of permissions, and may wait."""

    def __init__(
        self, user: str, permissions: Sequence[Any], ids_of: Callable[[str], frozenset[str]]
    ) -> None:
        self._user = user
        self._permissions = permissions
        self._ids_of = ids_of
        self._all = ALL in permissions or allows(permissions, [Call(_ANY_FUNCTION)], (), lambda target: ())
        self._keys = allows_function(permissions, Call("key.list_all"), "wheel")
        self._decided: collections.OrderedDict[int, tuple[EventOrigin, bool]] = collections.OrderedDict()

    def may_see(self, event: LoggedEvent) -> bool:
        """Return whether the user may see an event."""
        if self._all and event.work is None:
            return self._keys or not event.tag.startswith(_OF_KEYS)
        if event.work is None:
            return self._keys and event.tag.startswith(_OF_KEYS)
        return self._may_see_work(event.work)

    def _may_see_work(self, work: EventOrigin) -> bool:
        known = self._decided.get(id(work))
        # The work is kept with the decision, so its id cannot be that of another one.
        if known is None:
            known = self._decided[id(work)] = (work, self._decide(work))
            if len(self._decided) > _REMEMBERED:
                self._decided.popitem(last=False)
        return known[1]

    def _decide(self, work: EventOrigin) -> bool:
        if work.user == self._user or ALL in self._permissions:
            return True
        if work.kind == "job":
            calls = calls_of(work.fun, work.arg)
            # Everybody may ask whether a job runs, but the answer tells what it does.
            if not self._all and any(call.fun in ALWAYS_ALLOWED for call in calls):
                return False
            return allows(self._permissions, calls, work.minions, self._ids_of)
        kind = _KINDS[work.kind]
        fun = str(work.fun).removeprefix(f"{kind}.")
        return allows_function(self._permissions, Call(fun), kind)
