"""Look at batches (`-b`) that the master runs, and stop them: a command line that ends does not.

A batch that has ended is known until a hundred others have, or the master ends; its returns are those
of its job.
"""

from __future__ import annotations

import logging
from typing import Any

from salt_g.api import services

log = logging.getLogger(__name__)

#: How long a batch may take to end between two of its slices (s).
_TIMEOUT = 60.0


def status(jid: str) -> dict[str, Any] | None:
    """Return how far a batch is, None when it is not known.

    `completed` is how many minions returned, `failed` how many did not, `active` work, `pending` wait;
    `halted_reason` is `stop` or `failhard` for one that ended early. Moments are seconds since 1970.

    Example::

        salt-g run batch.status 20260102030405678901
    """
    found: dict[str, Any] | None = services().batches.status(str(jid))
    return found


def list_active() -> list[dict[str, Any]]:
    """Return the batches that run now, each as `batch.status` shows it.

    Example::

        salt-g run batch.list_active
    """
    return [found for jid in sorted(services().batches.running()) if (found := status(jid))]


def stop(jid: str, kill: bool = False) -> bool:
    """Let a batch start on no further minion; return False when none of this jid runs.

    Minions that are at work finish, and what they return is kept; `kill` ends their jobs too.

    Example::

        salt-g run batch.stop 20260102030405678901
    """
    jid = str(jid)
    at_work: list[str] | None = services().batches.end(jid, _TIMEOUT)
    if at_work is None:
        log.warning("%s: no batch of this jid runs", jid)
        return False
    if kill and at_work:
        services().client.cmd_async(at_work, "saltutil.kill_job", [jid], tgt_type="list")
    return True
