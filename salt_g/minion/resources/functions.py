"""Functions available in a call for a resource: the type's own, and explicit access to the minion's.

Other functions are denied, because a function of the managing minion would act on the minion in the name of a
device.
Shapes: mappings of `slot.function` to functions, in which `salt_g.api` looks up functions.
Errors: NotOffered, whose text names the type and its functions.
Source: resources specification, section 10; texts up to the first full stop are stock's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import NotOffered
from salt_g.minion.resources.types import ResourceType, ResourceTypes

Function = Callable[..., Any]

#: Slots and functions that only read the call context (grains, pillar, settings); state runs and their
#: templates can use them with any type.
READERS = frozenset(("config", "defaults", "match", "pillar", "slsutil"))
GRAIN_READERS = frozenset(
    f"grains.{name}"
    for name in ("equals", "fetch", "filter_by", "get", "has_value", "item", "items", "ls", "sanitize")
)
#: Helpers of package states: pure functions, or ones that reach the device through the type's `pkg`.
PACKAGE_HELPERS = frozenset(
    f"pkg_resource.{name}"
    for name in ("check_extra_requirements", "pack_sources", "parse_targets", "version_clean")
)
#: Slot that every type offers: the state engine runs on the managing minion, unless the type has its own.
STATE = "state"
#: Maximum number of functions listed in a refusal.
_LISTED = 20


class TypeFunctions(Mapping[str, Function]):
    """Execution functions in a call for a resource of one type."""

    def __init__(self, type: ResourceType, minion: Mapping[str, Function]) -> None:
        self._type = type
        self._minion = minion

    def __getitem__(self, name: str) -> Function:
        found = self.get(name)
        if found is None:
            raise NotOffered(name, self.refusal(name))
        return found  # type: ignore[no-any-return]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        """Return the function of this name, or `default`."""
        own = self._type.modules.get(name)
        if own is not None:
            return own
        return self._minion.get(name, default) if self._may_fall_through(name) else default

    def __iter__(self) -> Iterator[str]:
        yield from self._type.modules
        taken = [
            slot for slot in (*self._type.fall_through, STATE) if not self._type.modules.has_plugin(slot)
        ]
        for name in self._minion:
            if name.partition(".")[0] in taken:
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def offers(self, name: str) -> bool:
        """Return whether the type itself provides a function."""
        return self._type.modules.get(name) is not None

    def slots(self) -> list[str]:
        """Return the names of the type's own modules, sorted."""
        return sorted({name.partition(".")[0] for name in self._type.modules})

    def refusal(self, name: str) -> str:
        """Return the error text for an unsupported function, including the supported functions."""
        known = sorted(self._type.modules.known_names())
        near = self._type.modules.nearest(name)
        names = [*near, *(one for one in known if one not in near)]
        more = f", and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        offered = f" It offers: {', '.join(names[:_LISTED])}{more}." if names else " It offers no function."
        return f"Function '{name}' is not supported for resource type '{self._type.name}'.{offered}"

    def _may_fall_through(self, name: str) -> bool:
        slot = name.partition(".")[0]
        if slot == STATE or slot in self._type.fall_through:
            # A slot comes from one file only: functions that the type's own file lacks are not taken from
            # elsewhere.
            return not self._type.modules.has_plugin(slot)
        is_harmless = slot in READERS or name in GRAIN_READERS or name in PACKAGE_HELPERS
        return is_harmless and _runs_states()


class MinionFunctions(Mapping[str, Function]):
    """Functions of the managing minion, which act on the minion: `__minion__["file.append"](...)`."""

    def __init__(self, minion: CallContext) -> None:
        self._minion = minion
        self._functions = minion.table("modules")

    def __getitem__(self, name: str) -> Function:
        return _within(self._functions[name], lambda: self._minion)

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


class ConnectionFunctions(Mapping[str, Function]):
    """Functions of all connection modules, each of which sees the `__context__` of its own type.

    `enter(type)` returns the context in which a type's connection module runs for the resource of the call.
    """

    def __init__(self, types: ResourceTypes, enter: Callable[[ResourceType], CallContext]) -> None:
        self._types = types
        self._enter = enter

    def __getitem__(self, name: str) -> Function:
        function = self._types.connections[name]
        type = self._types.of(name.partition(".")[0])
        return function if type is None else _within(function, lambda: self._enter(type))

    def __iter__(self) -> Iterator[str]:
        return iter(self._types.connections)

    def __len__(self) -> int:
        return len(self._types.connections)


def _within(function: Function, context: Callable[[], CallContext]) -> Function:
    """Return a function that runs in the call context returned by `context`."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with api.use(context()):
            return function(*args, **kwargs)

    return call


def _runs_states() -> bool:
    context = api.current()
    return context.in_template or str(context.job.get("fun", "")).startswith("state.")
