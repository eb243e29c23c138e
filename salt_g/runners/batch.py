"""Batches (`-b`) run by the master: status and stop.

A batch continues when the command line that started it ends. A finished batch is remembered until a
hundred others have finished, or the master stops; its returns are those of its job.
"""

from __future__ import annotations

import logging

from salt_g.api import opts, services
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import BatchState

log = logging.getLogger(__name__)

#: How long to wait for a stopped batch to end between two slices (s).
_TIMEOUT = 60.0


def status(jid: str) -> BatchState | None:
    """Return the progress of a batch, or None with a warning in the log if this master does not know it.

    `completed` counts minions that returned, `failed` those that did not, `active` running and `pending`
    waiting ones; `halted_reason` is `stop` or `failhard` for a batch that ended early. Times are in seconds
    since 1970.

    Example::

        salt-g run batch.status 20260102030405678901
    """
    found = services(MasterServices).batches.status(str(jid))
    if found is None:
        log.warning("%s", _unknown(str(jid)))
    return found


def _unknown(jid: str) -> str:
    where = f"for the returns of an old one: salt-g run jobs.lookup_jid {jid}"
    if opts.get("cluster"):
        where = f"ask the master that runs it, or the leader if that master has ended; {where}"
    return f"this master knows no batch {jid}; {where}"


def list_active() -> list[BatchState]:
    """Return the running batches, each in the format of `batch.status`.

    Example::

        salt-g run batch.list_active
    """
    batches = services(MasterServices).batches
    return [found for jid in sorted(batches.running()) if (found := batches.status(jid))]


def stop(jid: str, kill: bool = False) -> bool:
    """Stop a batch from starting on further minions; return False when no batch with this jid runs.

    Running minions finish, and their returns are kept; `kill` ends their jobs too.

    Example::

        salt-g run batch.stop 20260102030405678901
    """
    jid = str(jid)
    at_work = services(MasterServices).batches.end(jid, _TIMEOUT)
    if at_work is None:
        log.warning("%s: no running batch has this jid", jid)
        return False
    if kill and at_work:
        services(MasterServices).client.cmd_async(at_work, "saltutil.kill_job", [jid], tgt_type="list")
    return True
