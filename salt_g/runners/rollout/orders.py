"""Status and control of rollouts."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from salt_g.api import current, opts, services
from salt_g.errors import CommandExecutionError
from salt_g.services.daemons import MasterServices
from salt_g.shapes.rollouts import RolloutState

log = logging.getLogger(__name__)


def list() -> Sequence[RolloutState]:
    """Return the rollouts, the newest first, each as in `rollout.status` without the names of its minions.

    Example::

        salt-g run rollout.list
    """
    return services(MasterServices).rollouts.all()


def status(jid: str) -> RolloutState:
    """Return the status of a rollout; raise CommandExecutionError if this master does not know it.

    `state` is running, paused, stopped, done or undone; the state of a wave is waiting, running, soaking,
    checking, done or failed. `reached` minions got the job, `untouched` minions did not. `failed` has the
    reason by minion, and `stopped` is the reason for an early end. Times are in seconds since 1970.

    Example::

        salt-g run rollout.status 20260102030405678901
    """
    found = services(MasterServices).rollouts.status(str(jid))
    if found is None:
        elsewhere = "; ask the master that runs it, or the leader if that master has ended"
        where = elsewhere if opts.get("cluster") else ""
        raise CommandExecutionError(f"this master knows no rollout {jid}{where}")
    return found


def pause(jid: str) -> bool:
    """Pause a rollout until `rollout.resume`; return False when no rollout with this jid runs.

    No further minion begins while a rollout is paused.

    Example::

        salt-g run rollout.pause 20260102030405678901
    """
    return _order(str(jid), "pause")


def resume(jid: str) -> bool:
    """Resume a paused rollout; return False when no rollout with this jid runs.

    Example::

        salt-g run rollout.resume 20260102030405678901
    """
    return _order(str(jid), "resume")


def stop(jid: str) -> bool:
    """Stop a rollout: no further minion begins; return False when no rollout with this jid runs.

    Minions that have begun finish, and nothing is undone.

    Example::

        salt-g run rollout.stop 20260102030405678901
    """
    return _order(str(jid), "stop")


def _order(jid: str, action: str) -> bool:
    user = str(current().job.get("user") or "")
    is_ordered = services(MasterServices).rollouts.order(jid, action, user)
    if not is_ordered:
        log.warning("%s: no running rollout has this jid", jid)
    return is_ordered
