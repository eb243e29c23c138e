"""Jobs for resources: permitted functions, published form, and job queries.

The resource-specific part of `publish.py`. A `saltutil.find_job` query about resources goes to the minions
that manage them, and each answer covers all resources of that minion in the query.
Bounds: `MAX_QUESTIONS` queries are remembered; a client sends one at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from salt_g.cache.jobs import FIND_JOB
from salt_g.master.resources import published_target
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.resource_model.minion_only_functions import is_minion_only
from salt_g.shapes.loads import JobLoad

if TYPE_CHECKING:
    from salt_g.master.publishing.target_resolution import ResolvedTarget

#: Maximum number of remembered queries about resources.
MAX_QUESTIONS = 1000


class ResourceJobs:
    """Resource-specific decisions of publishing."""

    def __init__(self, registry: ResourceRegistry, leases: GrantedLeases) -> None:
        self._registry = registry
        self._leases = leases
        self._questions: OrderedDict[str, dict[str, list[str]]] = OrderedDict()

    def limited(self, job: JobLoad, resolved: ResolvedTarget) -> ResolvedTarget:
        """Return the addressees of a job: minion-only functions never go to resources. Raise TargetError."""
        if not resolved.resources or job["fun"] == FIND_JOB:
            return resolved
        several = isinstance(job["fun"], list)
        names = [job["fun"]] if isinstance(job["fun"], str) else job["fun"]
        forbidden = next(filter(is_minion_only, names), "")
        kept = {} if forbidden else resolved.resources
        if several:
            # Minions that take no leases run stock, which runs such jobs on no resource.
            kept = {name: one for name, one in kept.items() if self._leases.takes_leases(one.minion)}
        ids = [name for name in resolved.minions if name not in resolved.resources or name in kept]
        if not ids and forbidden:
            raise published_target.for_minions(forbidden, resolved.resources)
        return resolved._replace(minions=ids, resources=kept)

    def published_form(self, job: JobLoad, resolved: ResolvedTarget) -> JobLoad:
        """Return a job in its published form."""
        if job["fun"] == FIND_JOB and resolved.resources:
            self._remember(job["jid"], resolved.resources)
            return {**job, "tgt": resolved.served_by, "tgt_type": "list"}
        if not len(self._registry):
            return job
        tgt, tgt_type = published_target.form_of(
            job["tgt"],
            job["tgt_type"],
            resolved.minions,
            resolved.resources,
            has_stock=self._has_stock(),
            is_trimmed=not resolved.resources and _has_minion_only(job["fun"]) and job["fun"] != FIND_JOB,
        )
        return {**job, "tgt": tgt, "tgt_type": tgt_type}

    def asked_about(self, jid: str, minion: str) -> list[str]:
        """Return the resources that a minion's answer to a query covers."""
        return self._questions.get(jid, {}).get(minion, [])

    def _remember(self, jid: str, resources: Mapping[str, Record]) -> None:
        about: dict[str, list[str]] = {}
        for name, record in resources.items():
            for minion in record.managers:
                about.setdefault(minion, []).append(name)
        self._questions[jid] = about
        while len(self._questions) > MAX_QUESTIONS:
            self._questions.popitem(last=False)

    def _has_stock(self) -> bool:
        """Return whether a minion without leases (stock's) manages resources."""
        return any(not self._leases.takes_leases(id) for id in self._registry.minions())


def _has_minion_only(fun: Any) -> bool:
    return any(map(is_minion_only, fun if isinstance(fun, list) else [fun]))
