"""Resources of minions: owners, registration, grains."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts, scratch, services
from salt_g.errors import CommandExecutionError, TargetError
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import ShownResource

#: Pause between two checks whether a minion has registered (s).
_PAUSE = 0.05

__func_alias__ = {"list_": "list"}


def list_(type: str = "", minion: str = "") -> dict[str, ShownResource]:
    """Return {srn: {minion, type, lease}} of all resources, or of those of a type or minion.

    `lease` is the remaining time in seconds, null for one that never expires; `standby` lists the minions
    that take over if the lease is not renewed.

    Example::

        salt-g run resource.list type=ssh
    """
    return services(MasterServices).resources.list(type, minion)


def show(srn: str) -> ShownResource:
    """Return the master's record of one resource, by `type:id` or bare id.

    `error` is the last problem that its minion reported, if any.

    Example::

        salt-g run resource.show ssh:web-01
    """
    try:
        found = services(MasterServices).resources.show(srn)
    except TargetError as exc:
        raise CommandExecutionError(str(exc)) from exc
    return found


def list_grains() -> dict[str, dict[str, Any]]:
    """Return {srn: {grain_keys, grain_count}} of all resources with grains.

    Example::

        salt-g run resource.list_grains
    """
    kept = services(MasterServices).resources.grains()
    return {
        srn: {"grain_keys": sorted(map(str, grains)), "grain_count": len(grains)}
        for srn, grains in sorted(kept.items())
    }


def show_grains(type: str, id: str) -> dict[str, Any] | None:
    """Return the grains of one resource at its last registration, or null for an unknown one.

    Example::

        salt-g run resource.show_grains dummy d-01
    """
    found = services(MasterServices).resources.grains().get(f"{type}:{id}")
    return None if found is None else dict(found)


def owners() -> dict[str, dict[str, Any]]:
    """Return {minion: {type: [id], standby: [srn], refused: {srn: reason}}}; empty parts are left out.

    Example::

        salt-g run resource.owners
    """
    return services(MasterServices).resources.owners()


def refresh(minion: str) -> Any:
    """Make a minion compile its pillar and register its resources; return {added: [srn], removed: [srn]}.

    Returns False, with exit code 1, if the minion is not connected or does not respond.

    Example::

        salt-g run resource.refresh minion=gw1
    """
    resources = services(MasterServices).resources
    before, times = set(resources.list("", minion)), resources.times_registered(minion)
    if (
        minion not in services(MasterServices).keys.accepted()
        or _ask(minion, "saltutil.refresh_pillar") is None
    ):
        return _failed()
    deadline = time.monotonic() + opts["timeout"]
    while resources.times_registered(minion) == times:
        # Minions register after they have answered.
        if time.monotonic() > deadline:
            return _failed()
        time.sleep(_PAUSE)
    after = set(resources.list("", minion))
    return {"added": sorted(after - before), "removed": sorted(before - after)}


def _failed() -> bool:
    scratch["retcode"] = 1
    return False


def _ask(minion: str, fun: str) -> Any:
    """Return the answer of one minion, or None if it does not answer."""
    answers = services(MasterServices).client.cmd(
        [minion], fun, timeout=opts["timeout"], tgt_type="list", full_return=True
    )
    answer = answers.get(minion) if isinstance(answers, Mapping) else None
    if not isinstance(answer, Mapping) or answer.get("retcode") or "ret" not in answer:
        return None
    return answer["ret"]
