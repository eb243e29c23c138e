"""Extensions: changes that one SLS file makes to the states of another.

Shapes: an extension is {id: {module: [argument mappings..., function]}}; the declarations are changed in
place. A string replaces the function, requisite lists are appended, other arguments are replaced or added,
and a module that the ID lacks is added whole.
Source: stock docs "Extending External SLS Data"; conformance area `extend`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.shapes.high_data import HighData
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.exclude import excluded_sls
from salt_g.state.compile.lookup import Lookup
from salt_g.state.compile.vocabulary import REQUISITES, declared_modules, first_key, is_internal


def apply_extensions(high: HighData, *, has_module: bool = False) -> Iterator[Problem]:
    """Apply the extensions; yield a finding for each one without a target.

    With `has_module`, an ID without the module is not a target: unlike users' extensions, mirrored requisites
    never add a module to a state.
    """
    dropped = set(excluded_sls(high.exclusions))
    lookup = Lookup(high)
    for extension in high.extensions:
        for name, body in extension.items():
            module = next((key for key, _ in declared_modules(body)), None)
            if module is None:
                continue
            target = _target(high, lookup, name, module, has_module=has_module)
            if target is None:
                yield _no_target(high, name, body)
            elif body.get("__sls__") not in dropped:
                _extend_state(target, body)


def _target(
    high: HighData, lookup: Lookup, name: Any, module: str, *, has_module: bool
) -> dict[Any, Any] | None:
    """Return the body of the ID that an extension is about, or None."""
    body = high.declarations.get(name)
    if not isinstance(body, dict) or module not in body:
        found = lookup.target(name, module, has_module=has_module)
        body = high.declarations[found[0]] if len(found) == 1 else None
    return body if isinstance(body, dict) else None


def _no_target(high: HighData, name: Any, body: Mapping[Any, Any]) -> Problem:
    saltenv, sls = body.get("__env__", "base"), body.get("__sls__", "base")
    return Problem(
        f"Cannot extend ID '{name}' in '{saltenv}:{sls}'. It is not part of the high state.\n"
        "This is likely due to a missing include statement or an incorrectly typed ID.\n"
        f"Ensure that a state with an ID of '{name}' is available\n"
        f"in environment '{saltenv}' and to SLS '{sls}'",
        sls=str(sls),
        state_id="extend",
        wanted=str(name),
        known=[key for key in high.declarations if not is_internal(key)],
        words=(*(f"{module}: {name}" for module, _ in declared_modules(body)), str(name)),
    )


def _extend_state(state: dict[Any, Any], extension: Mapping[Any, Any]) -> None:
    for module, arguments in declared_modules(extension):
        if not isinstance(state.get(module), list) or not isinstance(arguments, list):
            state[module] = arguments
            continue
        for item in arguments:
            _extend_arguments(state[module], item)


def _extend_arguments(arguments: list[Any], item: Any) -> None:
    is_placed = False
    for position, present in enumerate(arguments):
        merged = _merged(present, item)
        if merged is not None:
            arguments[position] = merged
            is_placed = True
    if not is_placed:
        arguments.append(item)


def _merged(present: Any, item: Any) -> Any:
    """Return the replacement of `present`, or None when `item` concerns another argument.

    Nothing is changed in place: a YAML alias may share one list among the arguments of several states.
    """
    if isinstance(present, str) and isinstance(item, str):
        return item
    if not isinstance(present, dict) or not isinstance(item, dict):
        return None
    key = first_key(item)
    if key == first_key(present):
        if key in REQUISITES and isinstance(present[key], list) and isinstance(item[key], list):
            return {**present, key: present[key] + item[key]}
        return item
    return item if key == "name" and first_key(present) == "names" else None
