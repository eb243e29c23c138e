"""State functions in a call for a resource: the type's own, then the minion's where supported.

The minion's states are written for the machine that they run on. A state whose execution functions the type
lacks, or that accesses files directly, fails before any change, with a message about its requirements.
Errors: NotOffered, which the state engine turns into the failure of that state alone.
Source: resources specification, section 12.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.errors import NotOffered
from salt_g.loader.index import IndexEntry
from salt_g.minion.resources.functions import TypeFunctions
from salt_g.minion.resources.state_needs import StateNeeds
from salt_g.minion.resources.types import ResourceType

Function = Callable[..., Any]

#: Functions of a state module that the engine itself calls; their requirements are not checked.
_HOOKS = ("mod_init", "mod_aggregate", "mod_beacon", "mod_run_check", "mod_run_check_cmd")
#: Maximum number of functions named in a refusal.
_NAMED = 4


class TypeStates(Mapping[str, Function]):
    """State functions by name; functions that are not the type's own are checked before use."""

    def __init__(self, type: ResourceType, functions: TypeFunctions, needs: StateNeeds) -> None:
        self._type = type
        self._functions = functions
        self._needs = needs

    def __getitem__(self, name: str) -> Function:
        slot, _, function = name.partition(".")
        entry = self._entry(slot)
        if entry is None or entry in self._type.own_states or function in _HOOKS:
            return self._type.states[name]
        refusal = self._refusal(name, entry, function)
        if refusal and name in self._type.states.known_names():
            return _refusing(name, refusal)
        return self._guarded(name, self._type.states[name])

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        _slot, _, function = name.partition(".")
        if function in _HOOKS and self._type.states.get(name) is None:
            return False
        return name in self._type.states or name in self._type.states.known_names()

    def get(self, name: str, default: Any = None) -> Any:
        """Return the function of this name, or `default`."""
        if name not in self:
            return default
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._type.states)

    def __len__(self) -> int:
        return len(self._type.states)

    def _entry(self, slot: str) -> IndexEntry | None:
        entries = self._type.states.entries
        return next((entry for entry in entries if slot in entry.names), None)

    def _refusal(self, name: str, entry: IndexEntry, function: str) -> str:
        """Return why a state cannot run on this type, or '' if it can."""
        needs = self._needs.of(entry, function)
        if needs.touches:
            return self._text(name, "it works on the managing minion itself")
        if needs.functions and not any(one in self._functions for one in needs.functions):
            return self._text(name, f"it needs {_named(needs.functions, entry)}")
        return ""

    def _text(self, name: str, why: str) -> str:
        offered = ", ".join(self._functions.slots()) or "nothing"
        return (
            f"State '{name}' cannot run on resource type '{self._type.name}':"
            f" {why}; the type offers {offered}."
        )

    def _guarded(self, name: str, function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except NotOffered as exc:
                raise NotOffered(exc.name, self._text(name, f"it needs {exc.name}")) from exc

        return call


def _refusing(name: str, refusal: str) -> Function:
    def refuse(name: str = "", **kwargs: Any) -> Any:
        raise NotOffered(state, refusal)

    state = name
    return refuse


def _named(functions: tuple[str, ...], entry: IndexEntry) -> str:
    """Return the names of some required functions: those of the state's own module or else any."""
    own = [one for one in functions if one.partition(".")[0] in entry.names]
    return ", ".join((own or list(functions))[:_NAMED])
