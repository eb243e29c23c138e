"""Managed resources of one master: ids, grains, errors.

All of this data is kept here; it is refreshed on triggers and read by every job.
Shapes: `ids` is {type: [id]}; grains and errors are by SRN; a registration is the message to the master.
Bounds: a call of a type's function ends after `resource_timeout` s.
Source: resources specification, sections 5 to 7.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.minion.resources.contexts import Contexts, KnownResource
from salt_g.minion.resources.discovery import discover
from salt_g.minion.resources.state_needs import StateNeeds
from salt_g.minion.resources.time_limited import TypeCallFailed, call_with_timeout
from salt_g.minion.resources.types import ResourceType, ResourceTypes
from salt_g.minion.settings import DiscoverySettings
from salt_g.process.supervisor import Supervisor
from salt_g.resource_model.pillar_requests import OwnPillars, no_pillars
from salt_g.resource_model.pillar_settings import declared, key_of, settings_of, without_secrets
from salt_g.resource_model.srn import Srn
from salt_g.shapes import GrainsDict
from salt_g.shapes.loads import ResourcesLoad

log = logging.getLogger(__name__)

#: Timeout for the `shutdown` of a type when the minion stops (s).
ENDING_TIMEOUT = 3.0
_NOTHING: Mapping[str, Any] = {}


class ManagedResources:
    """Resources declared in one master's pillar; `minion` returns the managing minion's call context.

    `make_own_pillars` returns a function that compiles the pillar of individual resources, {} if the master
    compiles none.
    """

    def __init__(
        self,
        settings: DiscoverySettings,
        types: ResourceTypes,
        minion: Callable[[], CallContext],
        make_own_pillars: Callable[[ManagedResources], OwnPillars] = lambda managed: no_pillars,
    ) -> None:
        self.types = types
        self.ids: dict[str, list[str]] = {}
        #: {SRN or path in pillar: error}
        self.trouble: dict[str, str] = {}
        self._minion = minion
        self._timeout = settings.resource_timeout
        self._cap = settings.resource_fan_out
        self._grains: dict[Srn, Mapping[str, Any]] = {}
        self._declared: Mapping[str, Any] = {}
        self._pillars: dict[Srn, Mapping[str, Any]] = {}
        self._shared: set[str] = set()
        self._needs = StateNeeds()
        self._own_pillars = make_own_pillars(self)

    def __len__(self) -> int:
        """Return the number of resources."""
        return len(self._grains)

    def __iter__(self) -> Iterator[Srn]:
        """Yield all resources, in the order of pillar."""
        return iter(list(self._grains))

    def contexts(self, minion: CallContext, srns: Sequence[Srn] = ()) -> Contexts:
        """Return the contexts of one job for `srns`, based on the minion's context."""
        return Contexts(minion, self.types, self._needs, self._own_pillars, srns)

    def take_pillars(self, srns: Sequence[Srn]) -> None:
        """Request and store the current pillar of these resources; errors of the request propagate."""
        opts = self._minion().opts
        pillars = self._own_pillars(list(map(str, srns)), opts.get("saltenv"), opts.get("pillarenv"))
        for srn in srns:
            self._pillars.pop(srn, None)
            if pillars.get(str(srn)):
                self._pillars[srn] = pillars[str(srn)]

    def knows(self, srn: Srn) -> bool:
        """Return whether this minion manages a resource."""
        return srn in self._grains

    def of(self, srn: Srn) -> KnownResource | None:
        """Return the data of a resource, or None if the minion does not (or no longer) manage it."""
        grains = self._grains.get(srn)
        type = None if grains is None else self.types.of(srn.type)
        if grains is None or type is None:
            return None
        return KnownResource(srn, type, grains, self.settings(srn), self._pillars.get(srn, _NOTHING))

    def settings(self, srn: Srn) -> Mapping[str, Any]:
        """Return the settings of a resource from its declaration."""
        return settings_of(self._declared.get(srn.type), srn.id)

    def is_shared(self, id: str) -> bool:
        """Return whether several types have a resource with this id on this minion."""
        return id in self._shared

    def refresh(self) -> None:
        """Reload types and declarations, query each type for its ids and each resource for its grains."""
        minion = self._minion()
        contexts = self.contexts(minion)
        self.types.reread(lambda type: type.end(contexts.of_type(type), timeout=self._timeout))
        self._needs = StateNeeds()
        contexts = self.contexts(minion)
        self._declared = declared(minion.pillar, minion.opts)
        found = discover(
            self._declared,
            self.types,
            contexts,
            key=key_of(minion.opts),
            before=self.ids,
            timeout=self._timeout,
        )
        self._end_others(contexts, found.ids)
        trouble = dict(found.refused)
        grains = self._gathered(contexts, found.ids, trouble)
        named = Counter(id for ids in found.ids.values() for id in ids)
        self.ids, self.trouble, self._grains = found.ids, trouble, grains
        self._pillars = {srn: own for srn, own in self._pillars.items() if srn in grains}
        self._shared = {id for id, count in named.items() if count > 1}
        log.info("managing %d resources of %d types, %d errors", len(grains), len(self.ids), len(trouble))

    def end(self) -> None:
        """Call `shutdown` of all types when this process ends, with a short time limit."""
        contexts = self.contexts(self._minion())
        for type in self.types.used():
            type.end(contexts.of_type(type), timeout=min(self._timeout, ENDING_TIMEOUT))

    def errors(self) -> dict[str, str]:
        """Return {SRN or path in pillar: last error}.

        A type can report in `__context__["trouble"]`, as {id: text}, why a device does not respond.
        """
        found = dict(self.trouble)
        for type in self.types.used():
            whole = found.pop(f"{type.name}:*", "")
            trouble = type.scratch.get("trouble")
            for id in self.ids.get(type.name, ()):
                srn = Srn(type.name, id)
                text = str(trouble.get(id) or "") if isinstance(trouble, Mapping) else ""
                text = without_secrets(text, self.settings(srn)) or whole
                if text:
                    found.setdefault(str(srn), text)
        return found

    def registration(self) -> ResourcesLoad:
        """Return the registration message for the master."""
        grains = {str(srn): dict(found) for srn, found in self._grains.items() if found}
        return {"resources": {name: list(ids) for name, ids in self.ids.items()}, "resource_grains": grains}

    def _end_others(self, contexts: Contexts, kept: Any) -> None:
        for type in self.types.used():
            if type.name not in kept:
                type.end(contexts.of_type(type), timeout=self._timeout)

    def _gathered(
        self, contexts: Contexts, ids: Mapping[str, list[str]], trouble: dict[str, str]
    ) -> dict[Srn, Mapping[str, Any]]:
        """Gather the grains of all resources in parallel; a resource that fails keeps its old grains."""
        grains: dict[Srn, Mapping[str, Any]] = {}
        family = Supervisor("resource grains", limit=self._cap)
        for name, of_type in ids.items():
            type = self.types.of(name)
            if type is None:
                continue
            if type.error:
                trouble[f"{name}:*"] = without_secrets(type.error, self._declared.get(name))
            for id in of_type:
                srn = Srn(name, id)
                known = grains[srn] = self._grains.get(srn, _NOTHING)
                resource = KnownResource(srn, type, known, self.settings(srn))
                family.spawn(self._gather, contexts, resource, grains, trouble, name=str(srn))
        family.wait()
        return grains

    def _gather(
        self,
        contexts: Contexts,
        known: KnownResource,
        grains: dict[Srn, Mapping[str, Any]],
        trouble: dict[str, str],
    ) -> None:
        context = contexts.of_connection(known)
        try:
            with api.use(context):
                found = call_with_timeout(self._timeout, _grains_of, known.type, contexts, known)
        except TypeCallFailed as exc:
            reason = f"grains: {without_secrets(str(exc), known.settings)}"
            log.warning("resource %s: %s", known.srn, reason)
            trouble[str(known.srn)] = reason
        else:
            grains[known.srn] = found


def _grains_of(type: ResourceType, contexts: Contexts, known: KnownResource) -> GrainsDict:
    """Return the grains of a resource, from the type's grain modules, then its connection module."""
    found: GrainsDict = {}
    if type.grains.entries:
        with api.use(contexts.of(known)):
            for gather in type.grains.values():
                found.update(gather() or {})
    function = type.function("grains")
    if function is not None:
        found.update(function() or {})
    return found
