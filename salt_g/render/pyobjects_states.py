"""Objects available to `pyobjects` SLS: states, requisites, `Map`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Mapping
from typing import Any

from salt_g.shapes import Arguments
from salt_g.shapes.high_data import SlsData

_BACKWARD = ("listen", "onchanges", "onfail", "require", "watch", "use")
REQUISITES = (*_BACKWARD, *(f"{name}_in" for name in _BACKWARD))


class DeclarationError(Exception):
    """Error in a declaration."""


class DuplicateState(DeclarationError):
    """Error for the same function declared twice for one ID."""


class InvalidFunction(DeclarationError):
    """Error for a state function that does not exist."""


class Registry:
    """Declarations of one SLS; while not `enabled` (during an import) nothing is added."""

    def __init__(self, functions: Container[str]) -> None:
        self.functions = functions
        self.enabled = True
        self._states: SlsData = {}
        self._extends: SlsData = {}
        self._includes: list[str] = []
        #: Requisites of the enclosing `with` blocks.
        self._around: list[Requisite] = []

    def include(self, *names: str) -> None:
        """Include other SLS."""
        if self.enabled:
            self._includes += names

    def extend(self, state_id: str) -> Extended:
        """Return the ID of another SLS's state, marked so that a state declared with it is an extension."""
        return Extended(state_id)

    def add(self, state: State) -> None:
        """Add a state; raise DuplicateState if its ID already has this function."""
        if not self.enabled:
            return
        declared = self._extends if state.is_extension else self._states
        functions = declared.setdefault(state.id, {})
        if state.function in functions:
            raise DuplicateState(f"A state with id ''{state.id}'', type ''{state.function}'' exists")
        for requisite in self._around:
            state.arguments.setdefault(requisite.kind, []).append(requisite.as_mapping())
        functions[state.function] = state.as_arguments()

    def enter(self, requisite: Requisite) -> None:
        """Begin a `with` block."""
        if self.enabled:
            self._around.append(requisite)

    def leave(self) -> None:
        """End a `with` block."""
        if self.enabled:
            self._around.pop()

    def high_data(self) -> SlsData:
        """Return all declarations."""
        high = dict(self._states)
        if self._includes:
            high["include"] = self._includes
        if self._extends:
            high["extend"] = self._extends
        return high


class Extended:
    """ID of a state that is extended."""

    def __init__(self, state_id: str) -> None:
        self.id = state_id


class Requisite:
    """Requisite on a state, for arguments and `with` blocks: `File("/x")`, or `File("/x", "watch")`."""

    def __init__(self, kind: str, module: str, state_id: str, registry: Registry) -> None:
        self.kind = kind
        self._module = module
        self._id = state_id
        self._registry = registry

    def as_mapping(self) -> dict[str, str]:
        """Return the requisite in SLS form."""
        return {self._module: self._id}

    def __enter__(self) -> None:
        self._registry.enter(self)

    def __exit__(self, *exc_info: object) -> None:
        self._registry.leave()


class State:
    """One declared state; states in its `with` block require it."""

    def __init__(
        self,
        state_id: str | Extended,
        module: str,
        function: str,
        arguments: Arguments,
        registry: Registry,
    ) -> None:
        self.is_extension = isinstance(state_id, Extended)
        self.id = state_id.id if isinstance(state_id, Extended) else state_id
        self.function = f"{module}.{function}"
        self.arguments = {
            name: _as_list(value) if name in REQUISITES else value for name, value in arguments.items()
        }
        self._requisite = Requisite("require", module, self.id, registry)
        registry.add(self)

    def as_arguments(self) -> list[Arguments]:
        """Return the arguments in SLS form, sorted by name."""
        return [{name: _plain(value)} for name, value in sorted(self.arguments.items())]

    def __enter__(self) -> None:
        self._requisite.__enter__()

    def __exit__(self, *exc_info: object) -> None:
        self._requisite.__exit__(*exc_info)


class StateFactory:
    """State module: its attributes declare states; calling it creates a requisite."""

    def __init__(self, module: str, registry: Registry) -> None:
        self._module = module
        self._registry = registry

    def __getattr__(self, function: str) -> Callable[..., State]:
        if function.startswith("__"):
            raise AttributeError(function)
        if f"{self._module}.{function}" not in self._registry.functions:
            raise InvalidFunction(
                f"The function '{function}' does not exist in the StateFactory for '{self._module}'"
            )

        def declare(state_id: str | Extended, **arguments: Any) -> State:
            return State(state_id, self._module, function, arguments, self._registry)

        return declare

    def __call__(self, state_id: str, requisite: str = "require") -> Requisite:
        return Requisite(requisite, self._module, state_id, self._registry)


def map_class(functions: Mapping[str, Any]) -> type:
    """Return the class `Map`, filled from the inner classes of subclasses that match the grains.

    An inner class matches when its name (or `__match__`) is the value of the grain `os_family` (or
    `__grain__`); `priority` orders the grains, `merge` names a pillar key whose values are applied last.
    """

    class Map:
        def __init_subclass__(cls) -> None:
            for name, value in _map_values(cls, functions).items():
                setattr(cls, name, value)

    return Map


def _map_values(cls: type, functions: Mapping[str, Any]) -> dict[str, Any]:
    inner = [(name, item) for name, item in vars(cls).items() if name[0] != "_" and inspect.isclass(item)]
    priority = list(getattr(cls, "priority", ()))

    def rank(entry: tuple[str, type]) -> int:
        grain = getattr(entry[1], "__grain__", "os_family")
        return priority.index(grain) if grain in priority else len(priority)

    values: dict[str, Any] = {}
    for name, item in sorted(inner, key=rank):
        grain = getattr(item, "__grain__", "os_family")
        found = functions["grains.item"](grain)
        if grain in found and found[grain] == getattr(item, "__match__", name):
            values.update({key: value for key, value in vars(item).items() if key[0] != "_"})
    if hasattr(cls, "merge"):
        values.update(functions["pillar.get"](cls.merge) or {})
    return values


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [item.as_mapping() if isinstance(item, Requisite) else item for item in value]
    return value
