"""The types of resources in this process: connection module, rooms, `__context__`; begun and ended once.

Why its own file: a device costs no loader of its own. All resources of a type share one set of tables and
one scratch, however many masters and jobs there are.
Units: seconds.
Source: resources specification, sections 3 and 4.
"""

from __future__ import annotations

import copy
import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

import gevent.lock

from salt_g import api
from salt_g.api import CallContext
from salt_g.loader import FunctionTable, Loader
from salt_g.loader.index import Entry
from salt_g.loader.resource_types import ResourceRooms, resource_dunders
from salt_g.minion.resources.time_limited import TypeCallFailed, bounded

log = logging.getLogger(__name__)

#: How users' modules of types are called while they are loaded.
USERS_MODULES = "salt_g_user.resources."
#: A subtree of pillar before a type was begun.
_NEVER = object()


class ResourceType:
    """One type; `gate` bounds how many of its resources are worked on at once."""

    def __init__(
        self, name: str, connections: FunctionTable, rooms: ResourceRooms, minion: Loader, *, cap: int
    ) -> None:
        self.name = name
        self.scratch: dict[str, Any] = {}
        self.error = ""
        self.gate: Any = gevent.lock.BoundedSemaphore(cap)
        self._connections = connections
        self._rooms = rooms
        self._minion = minion
        self._begun_with: Any = _NEVER
        self.modules = self._table("modules", rooms.room(name, "modules"))
        self.grains = self._table("grains", rooms.room(name, "grains"))
        self.own_states = rooms.room(name, "states")
        self.states = self._table("states", self._all_states())

    @property
    def fall_through(self) -> frozenset[str]:
        """The slots that the type takes from the minion's own rooms."""
        return frozenset(str(slot) for slot in self._said("__fall_through__", ()))

    @property
    def is_concurrent(self) -> bool:
        """Whether several jobs may work on one resource at once."""
        return bool(self._said("__concurrent__", False))

    def function(self, name: str) -> Any:
        """Return a function of the connection module, None when it has none of this name."""
        return self._connections.get(f"{self.name}.{name}")

    def begin(self, context: CallContext, below: Any, *, timeout: float) -> None:
        """Call `init` unless it was called with the same pillar; what it raises is kept in `error`."""
        if self._begun_with == below and self._is_initialized(context):
            return
        self.end(context, timeout=timeout)
        init = self.function("init")
        self.error = ""
        if init is not None:
            try:
                with api.use(context):
                    bounded(timeout, init, context.opts)
            except TypeCallFailed as exc:
                self.error = f"init: {exc}"
                log.error("resource type %r: %s", self.name, self.error)
                return
        # A copy: what pillar was, however the next one is made.
        self._begun_with = copy.deepcopy(below)

    def end(self, context: CallContext, *, timeout: float) -> None:
        """Call `shutdown` of a type that was begun."""
        if self._begun_with is _NEVER:
            return
        self._begun_with = _NEVER
        shutdown = self.function("shutdown")
        if shutdown is not None:
            try:
                with api.use(context):
                    bounded(timeout, shutdown, context.opts)
            except TypeCallFailed as exc:
                log.error("resource type %r: shutdown: %s", self.name, exc)

    def reread(self) -> None:
        """Read the files of users' rooms again."""
        self.own_states = self._rooms.room(self.name, "states")
        for table, entries in (
            (self.modules, self._rooms.room(self.name, "modules")),
            (self.grains, self._rooms.room(self.name, "grains")),
            (self.states, self._all_states()),
        ):
            table.replace_entries(entries)

    def _is_initialized(self, context: CallContext) -> bool:
        """Ask the type, where it can be asked, whether what `init` made is still there."""
        ask = self.function("initialized")
        if ask is None:
            return True
        try:
            with api.use(context):
                return bool(bounded(_ASKING_TIMEOUT, ask))
        except TypeCallFailed as exc:
            log.error("resource type %r: initialized: %s", self.name, exc)
            return False

    def _said(self, name: str, default: Any) -> Any:
        plugin = self._connections.plugin(self.name)
        return default if plugin is None else getattr(plugin.module, name, default)

    def _table(self, room: str, entries: list[Entry]) -> FunctionTable:
        return FunctionTable(f"resources.{self.name}.{room}", entries, dunders=resource_dunders)

    def _all_states(self) -> list[Entry]:
        """The type's own states come before those of the minion."""
        taken = {entry.stem for entry in self.own_states}
        return [
            *self.own_states,
            *(entry for entry in self._minion.table("states").entries if entry.stem not in taken),
        ]


#: How long `initialized` may take.
_ASKING_TIMEOUT = 5.0


class ResourceTypes:
    """All types of this process; `of` makes one when it is first asked for."""

    def __init__(self, opts: Mapping[str, Any], loader: Loader) -> None:
        self._rooms = ResourceRooms(opts)
        self._loader = loader
        self._cap = max(1, int(opts["resource_fan_out"]))
        self._stamps = self._rooms.stamps()
        self.connections = FunctionTable("resources", self._rooms.connections(), dunders=resource_dunders)
        self._types: dict[str, ResourceType] = {}

    @property
    def loader(self) -> Loader:
        """The plugins of the managing minion."""
        return self._loader

    def of(self, name: str) -> ResourceType | None:
        """Return a type; None when no root has it, or it cannot be used here (`why_missing`)."""
        plugin = self.connections.plugin(name)
        if plugin is None or plugin.reason:
            return None
        if name not in self._types:
            self._types[name] = ResourceType(name, self.connections, self._rooms, self._loader, cap=self._cap)
        return self._types[name]

    def why_missing(self, name: str) -> str:
        """Return why a type cannot be used, '' when no root has one of this name."""
        plugin = self.connections.plugin(name)
        return "" if plugin is None else plugin.reason

    def reread(self, end: Callable[[ResourceType], None]) -> None:
        """Read users' types again when a file of one has come, gone or changed; `end` ends a type first.

        What a module keeps by itself goes with it, so all types of users' begin again then.
        """
        stamps = self._rooms.stamps()
        if stamps == self._stamps:
            return
        self._stamps = stamps
        for type in self._types.values():
            end(type)
        for name in [name for name in sys.modules if name.startswith(USERS_MODULES)]:
            del sys.modules[name]
        self.connections.replace_entries(self._rooms.connections())
        for type in self._types.values():
            type.reread()

    def used(self) -> list[ResourceType]:
        """Return the types that were asked for."""
        return list(self._types.values())
