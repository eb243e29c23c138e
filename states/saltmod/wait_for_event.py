"""`salt.wait_for_event`: waiting for events."""

from __future__ import annotations

import fnmatch
import time
from typing import Any

from salt_g.api import opts, services
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome, would_change


def wait_for_event(
    name: str, id_list: list[Any], event_id: str = "id", timeout: float = 300, node: str = "master"
) -> StateReturn:
    """Wait for events whose tags match the glob `name`, until each id of `id_list` has occurred in one.

    `event_id` is the key in an event's data whose value is the id (or a list of ids); if it is missing there,
    it is looked up in the nested `data`. After `timeout` seconds the state fails. `node` is accepted and
    ignored.

    Example::

        salt/minion/*/start:
          salt.wait_for_event:
            - id_list: [jerry, stuart]
            - timeout: 600
    """
    if opts.get("test"):
        return would_change(name, f"Orchestration would wait for event '{name}'")
    open_ids, seen = list(id_list), list[Any]()
    started = time.monotonic()
    with services().events.watch() as watching:
        while open_ids:
            event = watching.get(max(0.0, started + timeout - time.monotonic()))
            if event is None:
                return failed(name, "Timeout value reached.", _changes(seen))
            if fnmatch.fnmatch(event.tag, name):
                for id in _ids_in(event.data, event_id):
                    if id in open_ids:
                        open_ids.remove(id)
                        seen.append(id)
    return outcome(name, True, f"All events seen in {time.monotonic() - started} seconds.", _changes(seen))


def _ids_in(data: dict[str, Any], event_id: str) -> list[Any]:
    value = data.get(event_id)
    if value is None and isinstance(data.get("data"), dict):
        value = data["data"].get(event_id)
    return value if isinstance(value, list) else [] if value is None else [value]


def _changes(seen: list[Any]) -> dict[str, Any]:
    return {"minions_seen": seen} if seen else {}
