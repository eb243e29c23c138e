"""Pillar of a call for a resource: the managing minion's, with the resource's own settings on top.

Why its own file: a state run wants pillar as it is now; for a thousand resources of one job the minion
compiles it once.
Source: resources specification, sections 2 and 12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gevent.lock

from salt_g import api
from salt_g.api import CallContext
from salt_g.nested import merge_recursive
from salt_g.services import PillarCompiler


class JobPillar:
    """The minion's pillar as one job sees it; each environment is compiled once."""

    def __init__(self, minion: CallContext) -> None:
        self._minion = minion
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


class ResourcePillar:
    """Implements `services.PillarCompiler` for one resource."""

    def __init__(self, job: JobPillar, minion: PillarCompiler, settings: Mapping[str, Any]) -> None:
        self._job = job
        self._minion = minion
        self._settings = settings

    def compile(
        self,
        *,
        saltenv: str | None = None,
        pillarenv: str | None = None,
        override: Mapping[str, Any] | None = None,
        **others: Any,
    ) -> dict[str, Any]:
        """Return pillar for the resource; `override` is merged last."""
        if any(others.get(name) for name in ("ext", "roots")):
            found = self._minion.compile(saltenv=saltenv, pillarenv=pillarenv, **others)
        else:
            found = dict(self._job.compiled(saltenv, pillarenv))
        whole = with_settings(found, self._settings)
        return merge_recursive(whole, dict(override)) if override else whole


def with_settings(pillar: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the minion's pillar with a resource's own settings on top."""
    return {**pillar, **settings}
