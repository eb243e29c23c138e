"""Events fired by minions on the master's bus.

One command, in two shapes; `event/minion_policy.py` decides which events a minion may fire.
Source: wire specification, section 9.1; security property 14.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from salt_g.errors import WireError
from salt_g.event import tags
from salt_g.event.bus import Bus
from salt_g.event.minion_policy import MAX_EVENTS, events_of
from salt_g.master.commands import ANY, Field, WireCommand
from salt_g.master.returns.job_steps import is_about_steps
from salt_g.master.returns.return_intake import LARGE
from salt_g.master.serving.step_pace import StepPace
from salt_g.shapes.loads import MinionEventLoad
from salt_g.shapes.steps import EventReply
from salt_g.transport.time_slice import TimeSlice
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Maximum number of refused tags that a reply names.
MAX_NAMED = 20
_FIELDS = {
    "tag": Field((str,), max_size=1024),
    "data": ANY,
    "pretag": ANY,
    "events": Field((list, type(None)), max_size=MAX_EVENTS),
    "grains": ANY,
    "jid": ANY,
}


class MinionEvents:
    """Handler of minions' events; `on_start(id)` is called for the start event of a minion."""

    def __init__(self, bus: Bus, *, on_start: Callable[[str], None] = lambda id: None) -> None:
        self._bus = bus
        self._on_start = on_start
        self._pace = StepPace()

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands by which minions fire events."""
        return {"_minion_event": WireCommand(self.take, _FIELDS)}

    def take(self, request: SealedRequest, load: MinionEventLoad) -> EventReply | None:
        """Fire the permitted events; reply with the refused ones and the pause for live steps, or nil."""
        if load.get("events", ()) is None:
            del load["events"]
        fired, refused = events_of(load, request.id)
        fire = self._bus.fire_large if request.size >= LARGE else self._bus.fire
        turns = TimeSlice()
        for draft in fired:
            try:
                fire(*draft)
            except WireError as exc:
                log.warning("%s: cannot fire its event %s: %s", request.id, draft.tag, exc)
            if draft.tag == tags.minion_start(request.id):
                self._on_start(request.id)
            turns.pause()
        for tag in refused:
            log.warning("%s: may not fire the event %r", request.id, tag)
        reply: EventReply = {"refused": refused[:MAX_NAMED]} if refused else {}
        if any(is_about_steps(draft.tag) for draft in fired):
            reply["pause"] = self._pace.pause_of(request.id)
        return reply or None
