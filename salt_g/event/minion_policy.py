"""Policy for events that minions fire on the master's bus: one check for every shape of the command.

`data/minion_tags.py` has the table of tags.
Source: wire specification, section 9.1.
"""

from __future__ import annotations

from typing import Any

from salt_g.data.minion_tags import is_job, may_fire
from salt_g.event.payloads import Payload
from salt_g.shapes.loads import EventData, LoadFields, MinionEventLoad

#: Maximum number of events in one load.
MAX_EVENTS = 1000

#: Fields of a load that become the data of an event that is sent alone.
_ALONE = ("cmd", "tag", "data", "pretag", "ts", "grains")


def events_of(load: MinionEventLoad, id: str) -> tuple[list[Payload], list[str]]:
    """Return the events of a `_minion_event` of the minion `id`, and the tags that it may not fire.

    The data of a single event is the load itself, of which the known fields are kept; each of several events
    has its own data. A `pretag`, which syndics send, is ignored here. In every shape, a field `id` is set to
    the sender's id, and a field `jid` to the job that the tag names, if any, because reactors, returners and
    the command line rely on both.
    """
    if "events" in load:
        offered = [_listed(event) for event in _list(load["events"])[:MAX_EVENTS]]
    else:
        offered = [(load.get("tag"), _single_event_data(load, id))]
    fired = [
        Payload(tag, _proven(tag, data, id))
        for tag, data in offered
        if data is not None and may_fire(tag, id)
    ]
    refused = [str(tag)[:100] for tag, data in offered if data is None or not may_fire(tag, id)]
    return fired, refused


def _proven(tag: str, data: EventData, id: str) -> EventData:
    """Return the data of an event with trusted values in the fields that the sender must not choose."""
    parts, proven = tag.split("/"), {"id": id}
    if len(parts) > 2 and parts[0] == "salt" and parts[1] in ("job", "state_result"):
        proven["jid"] = parts[2]
    return {**data, **{name: value for name, value in proven.items() if name in data}}


def _single_event_data(load: LoadFields, id: str) -> EventData:
    data = {field: load[field] for field in _ALONE if field in load}
    # Progress of states carries the job's id beside the data.
    if isinstance(load.get("jid"), str) and is_job(load["jid"]):
        data["jid"] = load["jid"]
    return {**data, "id": id}


def _listed(event: Any) -> tuple[Any, EventData | None]:
    if not isinstance(event, dict):
        return None, None
    data = event.get("data", {})
    return event.get("tag"), data if isinstance(data, dict) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
