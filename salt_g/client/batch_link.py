"""Client side of a batch run by our master (`master/publishing/batches.py`).

The master owns the batch: it continues if the client disconnects.
Shapes: the command `batch` has the fields of `publish` and {"size", "wait", "failhard"} in `rules`;
the reply is {"tag": "salt/batch/<jid>", "jid"}. The steps of `client.batch_window` are events: `.../progress`
{"found"| "started" | "silent": ...}, `.../complete`, `.../halted` {"reason"}, and `.../left` when another
master continues the batch; returns are the usual events of the job.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from salt_g.client.batch_window import Batch, BatchStep
from salt_g.client.jobs import JobClient
from salt_g.client.link import MasterEvent
from salt_g.client.publishing import JobRequest, error_of, publish_load
from salt_g.client.return_collector import Return, ReturnCollector
from salt_g.errors import MasterUnreachable
from salt_g.event import tags

if TYPE_CHECKING:
    from salt_g.shapes.loads import ClientFields, Load

#: Timeout for the start of a batch, and time without news of a batch after which the master is asked (s).
START_TIMEOUT = 30.0
_WAIT = 60.0
#: Longest wait for an event that the master fired before it answered (s).
_LAST_EVENT = 1.0
#: Timeout for the first step of an unattended batch (s): it arrives at once if no minion matches.
_FIRST_STEP = 1.0


def start_batch(client: JobClient, job: JobRequest, rules: Batch, extra: ClientFields) -> str:
    """Start a batch on the master; return its jid, or '' if this master runs no batches."""
    load = publish_load(job, extra, opts=client.opts, user=client.user, timeout=START_TIMEOUT)
    load.update(cmd="batch", rules=rules._asdict())
    reply = client.link.ask(load, timeout=START_TIMEOUT, follow=True)
    if isinstance(reply, dict) and reply.get("error"):
        raise error_of(reply["error"])
    return str(reply["jid"]) if isinstance(reply, dict) and reply.get("jid") else ""


def first_step(client: JobClient, jid: str) -> BatchStep | None:
    """Return the first step of a batch, or None if the master is still looking for its minions."""
    deadline = time.monotonic() + _FIRST_STEP
    while (left := deadline - time.monotonic()) > 0:
        event = client.link.next_event(left)
        step = None if event is None else _step(event, jid)
        if step is not None:
            return step
    return None


def follow_batch(client: JobClient, jid: str) -> Iterator[Return | BatchStep]:
    """Yield the returns and steps of a batch on the master until it ends.

    Raise MasterUnreachable if the master no longer runs the batch.
    """
    watch = ReturnCollector(jid, (), timeout=0, gather_timeout=0, now=0)
    while True:
        event = client.link.next_event(_WAIT)
        if event is None:
            if _is_running(client, jid):
                continue
            event = client.link.next_event(_LAST_EVENT)
        if event is None or event.tag == tags.batch(jid, "left"):
            raise MasterUnreachable(f"this master no longer runs batch {jid}.")
        one = watch.take(event, 0) or _step(event, jid)
        if one is not None:
            yield one
        if event.tag in (tags.batch(jid, "complete"), tags.batch(jid, "halted")):
            return


def _is_running(client: JobClient, jid: str) -> bool:
    """Return whether the master runs a batch; True if this user may not see that."""
    running = client.link.ask({"cmd": "batches", "user": client.user}, timeout=START_TIMEOUT)
    return not isinstance(running, dict) or "error" in running or jid in running


def event_of(jid: str, step: BatchStep) -> MasterEvent:
    """Return the event for a step."""
    if step.halted:
        return MasterEvent(tags.batch(jid, "halted"), {"jid": jid, "reason": step.halted})
    data: Load = {"jid": jid}
    if step.found is not None:
        data["found"], data["down"] = step.found
    elif step.started:
        data["started"] = step.started
    else:
        data["silent"] = step.silent
    return MasterEvent(tags.batch(jid, "progress"), data)


def _step(event: MasterEvent, jid: str) -> BatchStep | None:
    data = event.data
    if event.tag == tags.batch(jid, "halted"):
        return BatchStep(halted=str(data.get("reason")))
    if event.tag != tags.batch(jid, "progress"):
        return None
    if "found" in data:
        return BatchStep(found=(list(data["found"]), list(data.get("down") or ())))
    if data.get("started"):
        return BatchStep(started=list(data["started"]))
    return BatchStep(silent=str(data["silent"])) if data.get("silent") else None
