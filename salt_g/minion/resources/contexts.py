"""Call contexts for resources, with the data visible to their functions, states and templates.

This is the only place where data of a device replaces data of the minion; the rest of the minion's context
(files, the channel to the master, events) is unchanged.
Shapes: `Contexts` is created for one job, `of(known)` returns the context for one resource.
Source: resources specification, sections 3.1 and 12.
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from salt_g import api
from salt_g.api import CallContext
from salt_g.data.nested import DELIMITER
from salt_g.loader.resource_types import CONNECTIONS, MINION
from salt_g.local_call import rendering
from salt_g.match.matchers import MinionView, Resource, matches
from salt_g.minion.resources.functions import ConnectionFunctions, MinionFunctions, TypeFunctions
from salt_g.minion.resources.resource_call_pillar import (
    JobPillar,
    ResourcePillar,
    resource_pillar,
)
from salt_g.minion.resources.state_needs import StateNeeds
from salt_g.minion.resources.states import TypeStates
from salt_g.minion.resources.types import ResourceType, ResourceTypes
from salt_g.resource_model.pillar_requests import OwnPillars
from salt_g.resource_model.srn import Srn
from salt_g.services.plugins import Services
from salt_g.shapes import Grains, Pillar

if TYPE_CHECKING:
    from salt_g.services.protocols import Plugins, StateEngine

#: Prefix of a kind for the managing minion's own table, for types whose files are on the minion.
MINIONS_OWN = "minion."
#: Overrides of settings that would redirect the call, or run it inside a program of this machine.
_ON_THIS_MACHINE: Mapping[str, Any] = {
    "module_executors": ["direct_call"],
    "process_functions": [],
    "sudo_user": "",
}


class KnownResource(NamedTuple):
    """Data of one managed resource: name, type, last gathered grains, settings.

    `pillar` is the pillar that a top file assigns to this resource alone, as last received.
    """

    srn: Srn
    type: ResourceType
    grains: Grains
    settings: Mapping[str, Any]
    pillar: Pillar = {}

    @property
    def selected_by(self) -> Mapping[str, Any]:
        """Data that pillar targets match against: pillar and settings of the resource."""
        return {**self.pillar, **self.settings} if self.pillar else self.settings


class Contexts:
    """Call contexts of one job for the resources `srns`, based on the `minion`'s context.

    `own_pillars` requests the pillar of single resources, compiled anew.
    """

    def __init__(
        self,
        minion: CallContext,
        types: ResourceTypes,
        needs: StateNeeds,
        own_pillars: OwnPillars,
        srns: Sequence[Srn] = (),
    ) -> None:
        self._minion = minion
        self._types = types
        self._needs = needs
        self._pillar = JobPillar(minion, own_pillars, srns)

    def of_type(self, type: ResourceType) -> CallContext:
        """Return the connection module's context for calls that name no resource (`discover`, `init`)."""
        return self._connection(type, {})

    def of_connection(self, known: KnownResource) -> CallContext:
        """Return the connection module's context for a call for one resource (`grains`, `ping`)."""
        return self._connection(known.type, known.srn._asdict())

    def of(self, known: KnownResource) -> CallContext:
        """Return the context of a type's functions and states in a call for one resource."""
        minion, srn = self._minion, known.srn
        opts = {
            **minion.opts,
            **_ON_THIS_MACHINE,
            "id": srn.id,
            "resource_type": srn.type,
            "resource_minion": minion.opts["id"],
            "state_cachedir": os.path.join(str(minion.opts["cachedir"]), "resources", srn.type, srn.id),
            "pillar": minion.pillar,
        }
        functions = self.functions(known.type)
        connections = self._connections()
        plugins = _Plugins(minion, functions, TypeStates(known.type, functions, self._needs), connections)
        services = minion.services.replace(
            plugins=lambda: plugins,
            render=lambda: rendering(opts, minion.services.files),
            pillars=lambda: ResourcePillar(self._pillar, minion.services.pillars, srn, known.settings),
            match=lambda: ResourceMatches(known, minion),
            states=lambda: _engine(services, known),
        )
        # Values that a call stores (such as a retcode) remain private to it, in front of the type's
        # `__context__`.
        return minion.replace(
            opts=opts,
            grains={"id": srn.id, **known.grains},
            pillar=resource_pillar(minion.pillar, known.pillar, known.settings),
            services=services,
            resource=srn._asdict(),
            scratch=ChainMap({}, known.type.scratch),
        )

    def functions(self, type: ResourceType) -> TypeFunctions:
        """Return the execution functions of calls for a resource of this type."""
        return TypeFunctions(type, self._minion.table("modules"))

    def _connection(self, type: ResourceType, resource: Mapping[str, Any]) -> CallContext:
        minion = self._minion
        opts = {
            **minion.opts,
            "resource_type": type.name,
            "resource_minion": minion.opts["id"],
            "pillar": minion.pillar,
            "grains": minion.grains,
        }
        plugins = _ConnectionPlugins(minion, self._connections())
        return minion.replace(
            opts=opts,
            services=minion.services.replace(plugins=lambda: plugins),
            resource=resource,
            scratch=type.scratch,
        )

    def _connections(self) -> ConnectionFunctions:
        return ConnectionFunctions(
            self._types, lambda type: self._connection(type, dict(api.current().resource))
        )


class _ConnectionPlugins:
    """Plugin tables of the minion and of resources; implements `services.protocols.Plugins`."""

    def __init__(self, minion: CallContext, connections: ConnectionFunctions) -> None:
        self._plugins: Plugins = minion.services.plugins
        self._own: dict[str, Callable[[], Mapping[str, Callable[..., Any]]]] = {
            CONNECTIONS: lambda: connections,
            MINION: lambda: MinionFunctions(minion),
        }

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the functions of a kind; `minion.states` is the managing minion's table of states."""
        if kind.startswith(MINIONS_OWN):
            return self._plugins.table(kind[len(MINIONS_OWN) :])
        own = self._own.get(kind)
        return self._plugins.table(kind) if own is None else own()

    def with_providers(self, providers: Mapping[str, str]) -> Plugins:
        """Return self, because the type determines which module provides a name."""
        return self

    def reload(self, kinds: Any = ()) -> None:
        """Do nothing, because modules that a state installs on a device are not plugins of the minion."""


class _Plugins(_ConnectionPlugins):
    """Plugin tables of a call for one resource."""

    def __init__(
        self,
        minion: CallContext,
        functions: TypeFunctions,
        states: TypeStates,
        connections: ConnectionFunctions,
    ) -> None:
        super().__init__(minion, connections)
        self._own.update(modules=lambda: functions, states=lambda: states)


class ResourceMatches:
    """Target matcher for the resource of a call; implements `services.protocols.Matching`."""

    def __init__(self, known: KnownResource, minion: CallContext) -> None:
        self._known = known
        self._minion = minion

    def matches(
        self, tgt: Any, tgt_type: str = "glob", *, minion_id: str | None = None, delimiter: str = DELIMITER
    ) -> bool:
        """Return whether the resource, under the name `minion_id` if given, matches `tgt`."""
        srn = self._known.srn if minion_id is None else Srn(self._known.srn.type, minion_id)
        return matches(
            tgt, tgt_type, member(self._known, this_minion(self._minion), srn), delimiter=delimiter
        )


def this_minion(context: CallContext) -> MinionView:
    """Return the managing minion's data for matchers."""
    opts = context.opts
    return MinionView(
        id=str(opts["id"]),
        grains=context.grains,
        pillar=context.pillar,
        nodegroups=opts.get("nodegroups") or {},
        range_server=str(opts.get("range_server", "")),
    )


def member(known: KnownResource, minion: MinionView, srn: Srn | None = None) -> Resource:
    """Return a resource's data for matchers."""
    named = known.srn if srn is None else srn
    return Resource(named.type, named.id, minion, known.grains, known.selected_by)


def _engine(services: Services, known: KnownResource) -> StateEngine:
    from salt_g.state.engine import StateEngine  # Imported lazily: few jobs run states.

    return StateEngine(services, gather_grains=lambda: known.grains)
