"""Pillar of a call for a resource, built from the minion's pillar, the resource's pillar and its settings.

A state run needs the current pillar; for a thousand resources of one job the minion's pillar is compiled
once, and the pillar of single resources is requested in few messages.
Source: resources specification, sections 2 and 12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gevent.lock

from salt_g import api
from salt_g.api import CallContext
from salt_g.data.nested import merge_recursive
from salt_g.resource_model.pillar_requests import MOST, OwnPillars
from salt_g.resource_model.srn import Srn
from salt_g.shapes import PillarDict

if TYPE_CHECKING:
    from salt_g.services.protocols import PillarCompiler


class JobPillar:
    """Pillar during one job; the minion's pillar is compiled once for each environment.

    `srns` are the resources of the job, whose pillar is requested together.
    """

    def __init__(self, minion: CallContext, ask: OwnPillars, srns: Sequence[Srn]) -> None:
        self._minion = minion
        self._ask = ask
        self._srns = [str(srn) for srn in srns]
        self._places = {srn: number // MOST for number, srn in enumerate(self._srns)}
        self._own: dict[tuple[int, Any, Any], Mapping[str, Mapping[str, Any]]] = {}
        self._compiled: dict[tuple[Any, Any], Mapping[str, Any]] = {}
        self._compiling: Any = gevent.lock.RLock()

    def compiled(self, saltenv: str | None, pillarenv: str | None) -> Mapping[str, Any]:
        """Return the minion's pillar of these environments."""
        key = (saltenv, pillarenv)
        with self._compiling:
            if key not in self._compiled:
                with api.use(self._minion):
                    self._compiled[key] = self._minion.services.pillars.compile(
                        saltenv=saltenv, pillarenv=pillarenv
                    )
        return self._compiled[key]

    def own(self, srn: Srn, saltenv: str | None, pillarenv: str | None) -> Mapping[str, Any]:
        """Return the pillar assigned to a resource alone, in these environments."""
        place = self._places.get(str(srn))
        if place is None:
            return self._ask([str(srn)], saltenv, pillarenv).get(str(srn), {})
        key = (place, saltenv, pillarenv)
        with self._compiling:
            if key not in self._own:
                beside = self._srns[place * MOST : (place + 1) * MOST]
                self._own[key] = self._ask(beside, saltenv, pillarenv)
        return self._own[key].get(str(srn), {})


class ResourcePillar:
    """Pillar compiler for one resource; implements `services.protocols.PillarCompiler`."""

    def __init__(self, job: JobPillar, minion: PillarCompiler, srn: Srn, settings: Mapping[str, Any]) -> None:
        self._job = job
        self._minion = minion
        self._srn = srn
        self._settings = settings

    def compile(
        self,
        *,
        saltenv: str | None = None,
        pillarenv: str | None = None,
        override: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> PillarDict:
        """Return pillar for the resource; `override` is merged last."""
        own: Mapping[str, Any] = {}
        if any(others.get(name) for name in ("ext", "roots")):
            found: Mapping[str, Any] = self._minion.compile(saltenv=saltenv, pillarenv=pillarenv, **others)
        else:
            found = self._job.compiled(saltenv, pillarenv)
            own = self._job.own(self._srn, saltenv, pillarenv)
        whole = resource_pillar(found, own, self._settings)
        return merge_recursive(whole, dict(override)) if override else whole


def resource_pillar(
    minion: Mapping[str, Any], own: Mapping[str, Any], settings: Mapping[str, Any]
) -> PillarDict:
    """Return a resource's pillar: the minion's, with its own merged in; its settings replace whole keys."""
    whole = merge_recursive(dict(minion), own) if own else minion
    return {**whole, **settings}
