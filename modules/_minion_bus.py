"""Requests to the minion on this machine, over its event bus.

`schedule` and `beacons` change the state of a running minion: they fire an event and wait for the answering
event, as stock does.

Units: seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g import api

#: Time limit for the minion's answer.
TIMEOUT = 30.0


def ask(question: Mapping[str, Any], tag: str, answer_tag: str) -> dict[str, Any] | None:
    """Fire `question` under `tag` and return the data of the answer; None if no minion answered."""
    events = _events()
    if events is None:
        return None
    try:
        # Subscribe before asking, or a quick answer would be missed.
        with events.watch(answer_tag) as watch:
            if not events.fire(tag, dict(question)):
                return None
            answer = watch.get(TIMEOUT)
    except OSError:
        return None
    return None if answer is None else dict(answer.data)


def fire(message: Mapping[str, Any], tag: str) -> bool:
    """Fire an event; return whether a minion received it."""
    events = _events()
    return events is not None and bool(events.fire(tag, dict(message)))


def _events() -> Any:
    """Return the event bus, or None if this call has none."""
    return getattr(api.services(), "events", None)
