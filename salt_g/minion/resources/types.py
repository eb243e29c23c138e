"""Resource types of this process, each with connection module, rooms and `__context__`.

A type is initialized once, and again only after a change of its pillar or files. Devices have no loaders of
their own: all resources of a type share one set of tables and one `__context__`, however many masters and
jobs there are.
Units: seconds.
Source: resources specification, sections 3 and 4.
"""

from __future__ import annotations

import copy
import logging
import sys
from collections.abc import Callable
from typing import Any

import gevent.lock

from salt_g import api
from salt_g.api import CallContext
from salt_g.loader import FunctionTable, Loader
from salt_g.loader.index import IndexEntry
from salt_g.loader.resource_types import ResourceRooms, resource_dunders
from salt_g.minion.resources.time_limited import TypeCallFailed, call_with_timeout
from salt_g.shapes import Opts, Scratch

log = logging.getLogger(__name__)

#: Import name prefix of users' type modules.
USERS_MODULES = "salt_g_user.resources."
#: Placeholder for the pillar subtree of a type that was not initialized yet.
_NEVER = object()


class ResourceType:
    """Resource type; `gate` limits how many of its resources are active at once."""

    def __init__(
        self, name: str, connections: FunctionTable, rooms: ResourceRooms, minion: Loader, *, cap: int
    ) -> None:
        self.name = name
        self.scratch: Scratch = {}
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
        """Slots for which the type uses the modules of the minion's own rooms."""
        named = self._plugin_attribute("__fall_through__", None) or ()
        return frozenset(map(str, (named,) if isinstance(named, str) else named))

    @property
    def is_concurrent(self) -> bool:
        """Whether several jobs may run on one resource at once."""
        return bool(self._plugin_attribute("__concurrent__", False))

    def function(self, name: str) -> Any:
        """Return a function of the connection module, or None if it does not exist."""
        return self._connections.get(f"{self.name}.{name}")

    def begin(self, context: CallContext, below: Any, *, timeout: float) -> None:
        """Call `init` unless the type is initialized with the same pillar; store a failure in `error`."""
        if self._begun_with == below and self._is_initialized(context):
            return
        self.end(context, timeout=timeout)
        init = self.function("init")
        self.error = ""
        if init is not None:
            try:
                with api.use(context):
                    call_with_timeout(timeout, init, context.opts)
            except TypeCallFailed as exc:
                self.error = f"init: {exc}"
                log.error("resource type %r: %s", self.name, self.error)
                return
        # A copy, so that the earlier pillar is known even if the current one is changed in place.
        self._begun_with = copy.deepcopy(below)

    def end(self, context: CallContext, *, timeout: float) -> None:
        """Call `shutdown` of an initialized type."""
        if self._begun_with is _NEVER:
            return
        self._begun_with = _NEVER
        shutdown = self.function("shutdown")
        if shutdown is not None:
            try:
                with api.use(context):
                    call_with_timeout(timeout, shutdown, context.opts)
            except TypeCallFailed as exc:
                log.error("resource type %r: shutdown: %s", self.name, exc)

    def reread(self) -> None:
        """Reload the type's tables from its rooms after users' files have changed."""
        self.own_states = self._rooms.room(self.name, "states")
        for table, entries in (
            (self.modules, self._rooms.room(self.name, "modules")),
            (self.grains, self._rooms.room(self.name, "grains")),
            (self.states, self._all_states()),
        ):
            table.replace_entries(entries)

    def _is_initialized(self, context: CallContext) -> bool:
        """Return the result of the type's `initialized`; True if there is none, False if it fails."""
        ask = self.function("initialized")
        if ask is None:
            return True
        try:
            with api.use(context):
                return bool(call_with_timeout(_ASKING_TIMEOUT, ask))
        except TypeCallFailed as exc:
            log.error("resource type %r: initialized: %s", self.name, exc)
            return False

    def _plugin_attribute(self, name: str, default: Any) -> Any:
        plugin = self._connections.plugin(self.name)
        return default if plugin is None else getattr(plugin.module, name, default)

    def _table(self, room: str, entries: list[IndexEntry]) -> FunctionTable:
        return FunctionTable(f"resources.{self.name}.{room}", entries, dunders=resource_dunders)

    def _all_states(self) -> list[IndexEntry]:
        """Return the combined state modules, in which the type's own take precedence over the minion's."""
        taken = {entry.stem for entry in self.own_states}
        return [
            *self.own_states,
            *(entry for entry in self._minion.table("states").entries if entry.stem not in taken),
        ]


#: Timeout of a type's `initialized` (s).
_ASKING_TIMEOUT = 5.0


class ResourceTypes:
    """All resource types of this process; `of` loads a type on first use."""

    def __init__(self, opts: Opts, loader: Loader) -> None:
        self._rooms = ResourceRooms(opts)
        self._loader = loader
        self._cap = max(1, int(opts["resource_fan_out"]))
        self._stamps = self._rooms.stamps()
        self.connections = FunctionTable("resources", self._rooms.connections(), dunders=resource_dunders)
        self._types: dict[str, ResourceType] = {}

    @property
    def loader(self) -> Loader:
        """Plugin loader of the managing minion."""
        return self._loader

    def of(self, name: str) -> ResourceType | None:
        """Return a type, or None if it does not exist or cannot be used here (see `why_missing`)."""
        plugin = self.connections.plugin(name)
        if plugin is None or plugin.reason:
            return None
        if name not in self._types:
            self._types[name] = ResourceType(name, self.connections, self._rooms, self._loader, cap=self._cap)
        return self._types[name]

    def why_missing(self, name: str) -> str:
        """Return why a type cannot be used, or '' if it can be used or does not exist."""
        plugin = self.connections.plugin(name)
        return "" if plugin is None else plugin.reason

    def reread(self, end: Callable[[ResourceType], None]) -> None:
        """Reload users' types if any of their files has changed; `end` is called first for each type in use.

        Module-level state is lost, so all users' types are initialized again.
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
        """Return the types that have been loaded."""
        return list(self._types.values())
