"""Policy for events that minions fire on the master's bus.

A table in code, and one check for every shape of the command. A minion may fire tags of the daemons
(`salt/...` and a few older names) only in the forms of the table, with its own id in them; all other
tags are free for users.
Source: wire specification, section 9.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.data import jid as jids
from salt_g.event.payloads import Payload
from salt_g.shapes.loads import EventData, LoadFields, MinionEventLoad

#: `{id}` is the sender's own id, `{jid}` any job, `*` one part, `**` any remainder.
ALLOWED = (
    "minion_start",
    "minion_ping",
    "_salt_error",
    "salt/minion/{id}/start",
    "salt/beacon/{id}/**",
    "salt/engines/hook/{id}/**",
    "salt/job/{jid}/prog/{id}/**",
    "salt/job/{jid}/start/{id}",
    "salt/job/{jid}/step/{id}",
    "salt/state_result/{jid}/{id}/**",
)
#: First parts of tags that belong to the daemons.
RESERVED = frozenset(("salt", "key", "syndic", "minion", "resource", "cluster"))
#: Longest tag (characters); most events of one load.
MAX_TAG = 1024
MAX_EVENTS = 1000

_FORMS = tuple(tuple(form.split("/")) for form in ALLOWED)
#: Fields of a load that become the data of an event sent alone.
_ALONE = ("cmd", "tag", "data", "pretag", "ts", "grains")


def may_fire(tag: Any, id: str) -> bool:
    """Return whether the minion `id` may fire this tag."""
    if not isinstance(tag, str) or not 0 < len(tag) <= MAX_TAG or not (tag.isascii() and tag.isprintable()):
        return False
    parts = tag.split("/")
    if any(_fits(parts, form, id) for form in _FORMS):
        return True
    # A leading slash or an empty part would hide the name; a bare jid names a job's event.
    first = parts[0].strip()
    is_ours = first in RESERVED or first.startswith("_") or jids.is_jid(first[: jids.LENGTH])
    return bool(first) and not is_ours


def events_of(load: MinionEventLoad, id: str) -> tuple[list[Payload], list[str]]:
    """Return the events of a `_minion_event` of the minion `id`, and the tags that it may not fire.

    An event sent alone has the load itself as data, of which the known fields are kept; of several
    events, each has its own data. A `pretag` is a syndic's and is ignored here. In every shape `id` is
    set to the sender's, and `jid` to that of the tag where the tag names a job: reactors, returners and
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


def _fits(parts: Sequence[str], form: Sequence[str], id: str) -> bool:
    if form[-1] == "**":
        form = form[:-1]
        if len(parts) <= len(form):
            return False
    elif len(parts) != len(form):
        return False
    return all(_fits_part(part, wanted, id) for part, wanted in zip(parts, form, strict=False))


def _fits_part(part: str, wanted: str, id: str) -> bool:
    if wanted == "{id}":
        return part == id
    if wanted == "{jid}":
        return _is_job(part)
    return wanted in ("*", part)


def _is_job(part: str) -> bool:
    number, mark, rest = part[: jids.LENGTH], part[jids.LENGTH : jids.LENGTH + 1], part[jids.LENGTH + 1 :]
    return jids.is_jid(number) and (not mark or (mark == "_" and bool(rest)))


def _proven(tag: str, data: EventData, id: str) -> EventData:
    """Return the data of an event with trusted values in the fields that the sender must not choose."""
    parts, proven = tag.split("/"), {"id": id}
    if len(parts) > 2 and parts[0] == "salt" and parts[1] in ("job", "state_result"):
        proven["jid"] = parts[2]
    return {**data, **{name: value for name, value in proven.items() if name in data}}


def _single_event_data(load: LoadFields, id: str) -> EventData:
    data = {field: load[field] for field in _ALONE if field in load}
    # Progress of states carries the job's id beside the data.
    if isinstance(load.get("jid"), str) and _is_job(load["jid"]):
        data["jid"] = load["jid"]
    return {**data, "id": id}


def _listed(event: Any) -> tuple[Any, EventData | None]:
    if not isinstance(event, dict):
        return None, None
    data = event.get("data", {})
    return event.get("tag"), data if isinstance(data, dict) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
