"""Progress events of a run, one per chunk, fired if there is a master.

Shapes: an event has the tag `salt/job/<jid>/prog/<id>/<run number>` and the data {ret, len}. The event of a
chunk with `fire_event` has the tag `salt/state_result/<jid>/<id>/<name or given text>` and the data {ret}.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from salt_g.api import CallContext
from salt_g.shapes import LowChunk, Opts, StateReturn

if TYPE_CHECKING:
    from salt_g.shapes.loads import EventData

#: Execution function that sends an event to the master.
SEND = "event.fire_master"


def event_of(
    low: LowChunk, ret: StateReturn, *, jid: str, minion_id: str, total: int, opts: Opts
) -> tuple[str, EventData] | None:
    """Return (tag, data) of the event for a finished chunk, or None if it fires none."""
    wanted = low.get("fire_event", False)
    if wanted is True or isinstance(wanted, str):
        name = wanted if isinstance(wanted, str) else ret["name"]
        return f"salt/state_result/{jid}/{minion_id}/{name}", {"ret": ret}
    if opts.get("state_events", True):
        return f"salt/job/{jid}/prog/{minion_id}/{ret.get('__run_num__', 0)}", {"ret": ret, "len": total}
    return None


def event_hook(context: CallContext, jid: str) -> Callable[[LowChunk, StateReturn, int], None] | None:
    """Return the function that fires the events of a run, or None if there is no master."""
    opts = context.opts
    if opts.get("local") or opts.get("file_client") == "local" or SEND not in context.table("modules"):
        return None
    send = context.table("modules")[SEND]

    def fire(low: LowChunk, ret: StateReturn, total: int) -> None:
        event = event_of(low, ret, jid=jid, minion_id=str(opts.get("id", "")), total=total, opts=opts)
        if event is not None:
            send(event[1], event[0], preload={"jid": jid})

    return fire
