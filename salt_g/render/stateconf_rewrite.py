"""Changes of `stateconf` to high data: absolute IDs and names, order, start and goal states.

Shapes: high data, changed in place; malformed parts stay, since the compiler reports them. Errors:
RenderError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.errors import RenderError
from salt_g.shapes.high_data import SlsData

#: State function that only holds configuration.
SET = "stateconf.set"
START = ".start"
GOAL = ".goal"
_BACKWARD = ("require", "watch", "listen", "onchanges", "onfail")
_FORWARD = tuple(f"{name}_in" for name in _BACKWARD)
_REQUISITES = (*_BACKWARD, *_FORWARD, "use", "use_in")
#: Keys of high data that are not IDs.
NOT_IDS = ("include", "exclude", "extend")


class Config(dict[str, Any]):
    """Arguments of one `stateconf.set`, as items and as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def configured(data: SlsData, sls: str) -> dict[str, Config]:
    """Return the arguments of the `stateconf.set` states, by their ID within the SLS."""
    found: dict[str, Config] = {}
    for state_id, _, name, arguments in _states(data):
        if _module(name) == _module(SET):
            config = found.setdefault(state_id.removeprefix(f"{sls}::"), Config())
            config.update({key: value for item in _mappings(arguments) for key, value in item.items()})
    return found


def use_absolute_names(data: SlsData, sls: str) -> None:
    """Make relative SLS names in `include` and `exclude` absolute."""
    if isinstance(data.get("include"), list):
        data["include"] = [_absolute_include(item, sls) for item in data["include"]]
    for item in _mappings(data.get("exclude") or []):
        if isinstance(item.get("sls"), str):
            item["sls"] = _absolute(item["sls"], sls)


def _absolute_include(item: Any, sls: str) -> Any:
    """Return an include (a name, or {environment: name}) with its name made absolute."""
    if isinstance(item, dict):
        return {env: _absolute(name, sls) if isinstance(name, str) else name for env, name in item.items()}
    return _absolute(item, sls) if isinstance(item, str) else item


def use_absolute_ids(data: SlsData, sls: str) -> None:
    """Prefix IDs and requisites that begin with `.` with the name of the SLS."""
    if isinstance(data.get("extend"), dict):
        use_absolute_ids(data["extend"], sls)
    for _, _, _, arguments in _states(data, ("include", "exclude", "extend")):
        for requisite in _requisites(arguments, _REQUISITES):
            for module, state_id in requisite.items():
                if isinstance(state_id, str) and state_id.startswith("."):
                    requisite[module] = _absolute_id(state_id, sls)
    for state_id in [name for name in data if isinstance(name, str) and name.startswith(".")]:
        _rename(data, state_id, _absolute_id(state_id, sls))


def require_in_order(data: SlsData) -> None:
    """Make every state require the previous one; raise RenderError for contradicting requisites."""
    states = [
        (f"{state_id}:{_module(name)}", state_id, name, args)
        for state_id, _, name, args in _states(data)
        if state_id not in NOT_IDS
    ]
    before: set[str] = set()
    later = {tag for tag, _, _, _ in states}
    previous: dict[str, str] = {}
    for tag, state_id, name, arguments in states:
        _refuse_names(state_id, arguments)
        later.discard(tag)
        _refuse(tag, _requisites(arguments, _BACKWARD), later, "/".join(_BACKWARD), "after")
        _refuse(tag, _requisites(arguments, _FORWARD), before, "/".join(_FORWARD), "before")
        if previous:
            _add_require(arguments, previous)
        before.add(tag)
        previous = {_module(name): state_id}


def add_start(data: SlsData, sls: str) -> None:
    """Add a state that the first state requires; raise RenderError if its ID exists."""
    if START in data:
        raise RenderError(f"Can't generate start state({START})! The same state id already exists!")
    for state_id, _, name, _ in _states(data, NOT_IDS):
        data[START] = {SET: [{"require_in": [{_module(name): state_id}]}]}
        return


def add_goal(data: SlsData) -> None:
    """Add a state that requires all others; raise RenderError if its ID exists."""
    if GOAL in data:
        raise RenderError(f"Can't generate goal state({GOAL})! The same state id already exists!")
    required = [{_module(name): state_id} for state_id, _, name, _ in _states(data, NOT_IDS)]
    data[GOAL] = {SET: [{"require": required}]}


def _states(
    data: SlsData, skipped: Iterable[str] = ("include", "exclude")
) -> Iterator[tuple[str, dict[str, Any], str, Any]]:
    """Yield (id, its states, state name, arguments)."""
    for state_id, states in list(data.items()):
        if not isinstance(state_id, str) or not isinstance(states, dict):
            continue
        if state_id.startswith("__") or state_id in skipped:
            continue
        for name, arguments in states.items():
            if isinstance(name, str) and not name.startswith("__"):
                yield state_id, states, name, arguments


def _mappings(items: Any) -> Iterator[dict[str, Any]]:
    return (item for item in items if isinstance(item, dict)) if isinstance(items, list) else iter(())


def _requisites(arguments: Any, names: Iterable[str]) -> Iterator[dict[str, Any]]:
    for item in _mappings(arguments):
        for name, value in item.items():
            if name in names:
                yield from _mappings(value)


def _module(name: str) -> str:
    return name.split(".", 1)[0]


def _rename(data: SlsData, state_id: str, new_id: str) -> None:
    if new_id in data:
        raise RenderError(
            f"Can't rename state id({state_id}) into {new_id} because the later already exists!"
        )
    for _, _, name, arguments in _states({state_id: data[state_id]}):
        has_name = any("name" in item for item in _mappings(arguments))
        if _module(name) != _module(SET) and isinstance(arguments, list) and not has_name:
            arguments.insert(0, {"name": state_id[1:]})
    data[new_id] = data.pop(state_id)


def _absolute_id(state_id: str, sls: str) -> str:
    if "::" in state_id:
        return _absolute(state_id, sls)
    return "::".join(_absolute(state_id, f"{sls}.").rsplit(".", 1))


def _absolute(name: str, sls: str) -> str:
    """Return the absolute form of a relative SLS name (`.a` is a sibling of `sls`, `..a` one level up)."""
    found = re.match(r"(\.+)(.*)$", name)
    if found is None:
        return name
    parts = sls.split(".")
    if len(found[1]) > len(parts):
        raise RenderError("Attempted relative include goes beyond top level package")
    return ".".join([*parts[: -len(found[1])], found[2]])


def _refuse(
    tag: str, requisites: Iterable[dict[str, Any]], refused: set[str], names: str, where: str
) -> None:
    for requisite in requisites:
        for module, state_id in requisite.items():
            other = f"{state_id}:{_module(str(module))}"
            if other in refused:
                raise RenderError(f"State({tag}) can't {names} a state({other}) defined {where} it!")


def _refuse_names(state_id: str, arguments: Any) -> None:
    if any("names" in item for item in _mappings(arguments)):
        raise RenderError(
            f"'names' declaration(found in state id: {state_id}) is not supported with implicitly ordered"
            " states! You should generate the states in a template for-loop instead."
        )


def _add_require(arguments: Any, requisite: dict[str, str]) -> None:
    for item in _mappings(arguments):
        if "require" in item:
            if isinstance(item["require"], list):
                item["require"].insert(0, requisite)
            return
    if isinstance(arguments, list):
        arguments.append({"require": [requisite]})
