"""Ask the minion that runs on this machine, over its event bus.

Why its own file: the functions of `schedule` and `beacons` change what a running minion holds; they
fire a question and wait for the event that answers it, as stock's do.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g import api

#: How long the minion has to answer.
TIMEOUT = 30.0


def ask(question: Mapping[str, Any], tag: str, answer_tag: str) -> dict[str, Any] | None:
    """Fire `question` under `tag` and return the data of the answer; None when no minion answered."""
    events = _events()
    if events is None:
        return None
    try:
        # Listening begins before the question is asked, or a quick answer would be missed.
        with events.watch(answer_tag) as watch:
            if not events.fire(tag, dict(question)):
                return None
            answer = watch.get(TIMEOUT)
    except OSError:
        return None
    return None if answer is None else dict(answer.data)


def tell(message: Mapping[str, Any], tag: str) -> bool:
    """Fire an event; return whether a minion was there to take it."""
    events = _events()
    return events is not None and bool(events.fire(tag, dict(message)))


def _events() -> Any:
    """Return the bus, None in a call that knows of none."""
    return getattr(api.services(), "events", None)
