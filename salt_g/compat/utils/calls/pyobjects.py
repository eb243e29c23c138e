"""Stock's `salt.utils.pyobjects`: the objects of `#!pyobjects` SLS, for users' renderers and plugins.

All factories of a process share one `Registry`, which holds declarations until `Registry.salt_data()`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from salt_g import api
from salt_g.render import pyobjects_states as declared
from salt_g.render.pyobjects_states import REQUISITES, DuplicateState, InvalidFunction, map_class
from salt_g.shapes import Arguments
from salt_g.shapes.high_data import SlsData

StateExtend = declared.Extended
StateException = declared.DeclarationError


class _Everything(Container[str]):
    """Set that contains every name, for factories that are not given a list of functions."""

    def __contains__(self, name: object) -> bool:
        return True


class _SharedRegistry(declared.Registry):
    """Registry of all declarations of this process."""

    def __init__(self) -> None:
        super().__init__(_Everything())

    def empty(self) -> None:
        """Discard all declarations."""
        self._states, self._extends, self._includes, self._around = {}, {}, [], []

    def salt_data(self) -> SlsData:
        """Return all declarations as high data, and discard them."""
        high = self.high_data()
        self.empty()
        return high

    def make_extend(self, name: str) -> declared.Extended:
        """Return the ID of another SLS's state, marked so that a state declared with it is an extension."""
        return self.extend(name)

    def push_requisite(self, requisite: declared.Requisite) -> None:
        """Begin a block whose states have this requisite."""
        self.enter(requisite)

    def pop_requisite(self) -> None:
        """End the block."""
        self.leave()

    @property
    def states(self) -> SlsData:
        """Declared states by ID."""
        return self._states

    @property
    def extends(self) -> SlsData:
        """States of other SLS that are extended, by ID."""
        return self._extends

    @property
    def includes(self) -> list[str]:
        """Names of included SLS."""
        return self._includes

    @property
    def requisites(self) -> list[declared.Requisite]:
        """Requisites of the blocks that are open."""
        return self._around


Registry = _SharedRegistry()


class StateRequisite(declared.Requisite):
    """A state as a requisite; calling the object returns {module: ID}."""

    def __init__(self, requisite: str, module: str, id_: str) -> None:
        super().__init__(requisite, module, id_, Registry)

    def __call__(self) -> dict[str, str]:
        return self.as_mapping()


class State(declared.State):
    """One declared state; calling the object returns {function: arguments}."""

    def __init__(self, id_: str | declared.Extended, module: str, func: str, **kwargs: Any) -> None:
        super().__init__(id_, module, func, kwargs, Registry)
        self.id_, self.module, self.func, self.kwargs = self.id, module, func, self.arguments
        self.requisite = StateRequisite("require", module, self.id)

    def __call__(self) -> dict[str, list[Arguments]]:
        return {self.function: self.as_arguments()}

    def __str__(self) -> str:
        return f"{self.id} = {self.function}:{self.as_arguments()}"

    @property
    def attrs(self) -> list[Arguments]:
        """The arguments in SLS form, sorted by name."""
        return self.as_arguments()

    @property
    def full_func(self) -> str:
        """The function's name, `file.managed`."""
        return self.function


class StateFactory:
    """State module whose attributes declare states; calling the object creates a requisite.

    With `valid_funcs`, other functions raise InvalidFunction.
    """

    def __init__(self, module: str, valid_funcs: Container[str] | None = None) -> None:
        self.module = module
        self.valid_funcs = valid_funcs or []

    def __getattr__(self, func: str) -> Callable[..., State]:
        if func.startswith("__"):
            raise AttributeError(func)
        if self.valid_funcs and func not in self.valid_funcs:
            raise InvalidFunction(
                f"The function '{func}' does not exist in the StateFactory for '{self.module}'"
            )
        return lambda id_, **kwargs: State(id_, self.module, func, **kwargs)

    def __call__(self, id_: str, requisite: str = "require") -> StateRequisite:
        return StateRequisite(requisite, self.module, id_)


class SaltObject:
    """Attribute access, `salt.cmd.run(...)`, to the functions in a mapping such as `__salt__`."""

    def __init__(self, salt: Mapping[str, Any]) -> None:
        self._salt = salt

    def __getattr__(self, mod: str) -> Any:
        return _Functions(self._salt, mod)


class _Functions:
    """The functions of one module."""

    def __init__(self, salt: Mapping[str, Any], module: str) -> None:
        self._salt, self._module = salt, module

    def __getattr__(self, func: str) -> Any:
        try:
            return self._salt[f"{self._module}.{func}"]
        except LookupError as exc:
            raise AttributeError(func) from exc


class _MapFunctions(Mapping[str, Any]):
    """Live view of the functions in `Map.__salt__`."""

    def __getitem__(self, name: str) -> Any:
        return Map.__salt__[name]  # type: ignore[attr-defined]  # set below

    def __iter__(self) -> Any:
        return iter(Map.__salt__)  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return len(Map.__salt__)  # type: ignore[attr-defined]


#: Class for data chosen by grains. `Map.__salt__` can be replaced; by default it has the functions of the
#: running call.
Map = map_class(_MapFunctions())
Map.__salt__ = api.functions  # type: ignore[attr-defined]
MapMeta = type(Map)

__all__ = ["REQUISITES", "DuplicateState", "InvalidFunction", "Map", "MapMeta", "Registry", "SaltObject"]
__all__ += ["State", "StateException", "StateExtend", "StateFactory", "StateRequisite"]
