"""Pillar of minions, compiled on the master."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts, own_arguments, services
from salt_g.services.daemons import MasterServices
from salt_g.shapes import GrainsDict, PillarDict

log = logging.getLogger(__name__)


def show_top(minion: str | None = None, saltenv: str = "base") -> Mapping[str, Any] | list[str]:
    """Return the merged pillar top file, or its errors.

    Example::

        salt-g run pillar.show_top
    """
    id = minion or str(opts["id"])
    top, errors = services(MasterServices).minion_pillars.top_for(id, _grains(id), saltenv)
    if errors:
        services(MasterServices).progress.fire({"data": errors, "outputter": "nested"})
        return list(errors)
    found: Mapping[str, Any] = top
    return found


def show_pillar(minion: str = "*", **kwargs: Any) -> PillarDict:
    """Return the pillar of a minion, compiled now with its cached grains.

    Keywords other than `saltenv` and `pillarenv` are grains to use in addition. An unknown minion (or `*`)
    has only these grains.

    Example::

        salt-g run pillar.show_pillar www.example.com os=Debian
    """
    given = own_arguments(kwargs)
    envs = {"saltenv": given.pop("saltenv", "base"), "pillarenv": given.pop("pillarenv", None)}
    grains = {**_grains(minion), **given}
    return services(MasterServices).minion_pillars.compile_for(minion, grains, **envs)


def clear_pillar_cache(minion: str = "*", **kwargs: Any) -> bool:
    """Discard the cached pillar of minions (a glob).

    Returns False if neither `pillar_cache` nor `minion_data_cache` is on.

    Example::

        salt-g run pillar.clear_pillar_cache 'web*'
    """
    if not _keeps_pillar():
        return False
    for id in services(MasterServices).targets.resolve(minion).minions:
        services(MasterServices).minion_pillars.forget(id)
    return True


def show_pillar_cache(minion: str = "*", **kwargs: Any) -> PillarDict | bool:
    """Return {minion id: cached pillar}; False if neither `pillar_cache` nor `minion_data_cache` is on.

    Example::

        salt-g run pillar.show_pillar_cache 'web*' pillarenv=prod
    """
    if not _keeps_pillar():
        return False
    pillarenv = own_arguments(kwargs).get("pillarenv")
    kept = {id: _kept(id, pillarenv) for id in services(MasterServices).targets.resolve(minion).minions}
    return {id: pillar for id, pillar in kept.items() if pillar}


def _keeps_pillar() -> bool:
    keeps = bool(opts.get("pillar_cache") or opts.get("minion_data_cache"))
    if not keeps:
        log.info("the settings 'pillar_cache' and 'minion_data_cache' are off, so no pillar is kept")
    return keeps


def _kept(id: str, pillarenv: str | None) -> Mapping[str, Any]:
    """Return a minion's pillar from `pillar_cache`, or else the copy that is kept for pillar targets."""
    kept = services(MasterServices).minion_pillars.kept(id, pillarenv)
    known = None if pillarenv else services(MasterServices).minion_data.get(id)
    return kept or (dict(known[1]) if known else {})


def _grains(id: str) -> GrainsDict:
    known = services(MasterServices).minion_data.get(id)
    return dict(known[0]) if known else {}
