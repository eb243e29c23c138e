"""Facts that the master knows about minions that have not returned a job (`shapes.replies.Absence`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from salt_g.master.admission.sessions import MinionSession
    from salt_g.services.daemons import Presence
    from salt_g.shapes.replies import Absence, AbsentStep
    from salt_g.shapes.steps import StepEvent


class Absences:
    """Facts about minions that have not returned; implements `services.daemons.Absences`."""

    def __init__(
        self,
        presence: Presence,
        sessions: Iterable[MinionSession],
        steps: Callable[[str], Mapping[str, StepEvent]],
        *,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._presence = presence
        self._sessions = sessions
        self._steps = steps
        self._now = now
        self._clock = clock

    def of(self, jid: str, ids: Iterable[str]) -> dict[str, Absence]:
        """Return the facts about each minion."""
        wanted = set(ids)
        if not wanted:
            return {}
        connected, steps = self._presence.connected(), self._steps(jid)
        heard = self._last_requests(wanted)
        return {
            id: {
                "connected": id in connected,
                "heard": heard.get(id),
                "received": True if id in steps else None,
                "step": _current(steps[id]) if id in steps else None,
            }
            for id in sorted(wanted)
        }

    def _last_requests(self, wanted: set[str]) -> dict[str, float]:
        # Needed because sessions record times of the monotonic clock only.
        offset = self._now() - self._clock()
        found: dict[str, float] = {}
        for session in self._sessions:
            if session.id in wanted and session.seen:
                found[session.id] = round(max(found.get(session.id, 0.0), session.seen + offset), 3)
        return found


def _current(event: StepEvent) -> AbsentStep:
    now = event["now"]
    step: AbsentStep = {"done": len(event["done"]) + event.get("lost", 0), "total": event["total"]}
    if now is not None:
        step.update({"n": now["n"], "id": now["id"], "fun": now["fun"], "since": now["since"]})
    return step
