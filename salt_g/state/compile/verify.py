"""Verification of high data: findings for each malformed state.

High data is not changed. One ID may have several findings.
Source: conformance area `decl`; stock's texts word for word.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, cast

from salt_g.shapes import Arguments
from salt_g.shapes.high_data import Declaration, HighData
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.vocabulary import REQUISITES, declared_modules, first_key, is_internal

#: Arguments whose values must have a certain form.
_WITH_RULES = REQUISITES | {"names"}


def verify_high(high: HighData) -> Iterator[Problem]:
    """Yield every finding about high data."""
    for state_id, body in high.declarations.items():
        if is_internal(state_id):
            continue
        if not isinstance(body, dict):
            yield Problem(f"The type {state_id} in {body} is not formatted as a dictionary")
            continue
        if not isinstance(state_id, str):
            yield Problem(
                f"ID '{state_id}' in SLS '{body.get('__sls__')}' is not formed as a string, "
                f"but is type {type(state_id).__name__}. It may need to be quoted.",
                sls=str(body.get("__sls__") or ""),
                state_id=state_id,
            )
        for module, arguments in declared_modules(body):
            if not isinstance(module, str):
                yield Problem(
                    f"State module '{module}' of ID '{state_id}' in SLS '{body.get('__sls__')}' "
                    f"is not formed as a string, but is type {type(module).__name__}. "
                    "It may need to be quoted.",
                    sls=str(body.get("__sls__") or ""),
                    state_id=state_id,
                    words=(str(module),),
                )
                continue
            if not _is_plain(module, arguments):
                yield from _Declaration(state_id, body.get("__sls__"), module, arguments).findings()


def verified(high: HighData) -> dict[str, Declaration]:
    """Return the declarations of high data that passed `verify_high`.

    Bodies of IDs that begin with `__` are neither verified nor run.
    """
    return cast("dict[str, Declaration]", high.declarations)


def _is_plain(module: str, arguments: Any) -> bool:
    """Return whether a declaration is, like most, one function with arguments that need no checks."""
    if not isinstance(arguments, list):
        return False
    functions = 1 if "." in module else 0
    for item in arguments:
        if isinstance(item, dict):
            key = first_key(item)
            if len(item) != 1 or not isinstance(key, str) or key in _WITH_RULES:
                return False
        elif isinstance(item, str) and " " not in item:
            functions += 1
        else:
            return False
    return functions == 1


class _Declaration:
    """One module of one ID, with the location used in its findings."""

    def __init__(self, state_id: Any, sls: Any, module: str, arguments: Any) -> None:
        self._id = state_id
        self._sls = sls
        self._module = module
        self._arguments = arguments

    def findings(self) -> Iterator[Problem]:
        if self._arguments is None:
            yield self._problem(
                f"ID '{self._id}' in SLS '{self._sls}' contains a short declaration ({self._module}) "
                "with a trailing colon. When not passing any arguments to a state, the colon must be omitted."
            )
        elif not isinstance(self._arguments, list):
            yield self._problem(f"State '{self._id}' in SLS '{self._sls}' is not formed as a list")
        else:
            for item in self._arguments:
                if isinstance(item, str):
                    yield from self._check_function(item)
                elif isinstance(item, dict) and item:
                    yield from self._check_argument(item)
            yield from self._check_function_count()

    def _check_function(self, function: str) -> Iterator[Problem]:
        if " " in function.strip():
            yield self._problem(
                f'The function "{function}" in state "{self._id}" in SLS "{self._sls}" has whitespace, '
                "a function with whitespace is not supported, "
                'perhaps this is an argument that is missing a ":"',
                function,
            )

    def _check_argument(self, item: Arguments) -> Iterator[Problem]:
        yield from self._check_keys(item)
        key = first_key(item)
        if "names" in item:
            yield from self._check_names(item["names"])
        if key in REQUISITES:
            yield from self._check_requisite(key, item[key])
            if len(item) != 1:
                yield self._problem(
                    f"Multiple dictionaries defined in argument of state '{self._id}' in SLS '{self._sls}'",
                    str(key),
                    *[str(other) for other in item if other != key][:1],
                )

    def _check_keys(self, item: dict[Any, Any]) -> Iterator[Problem]:
        for key in item:
            if not isinstance(key, str):
                yield self._problem(
                    f"Argument '{key}' of ID '{self._id}' in SLS '{self._sls}' is not formed as a string, "
                    f"but is type {type(key).__name__}. It may need to be quoted.",
                    str(key),
                )

    def _check_names(self, names: Any) -> Iterator[Problem]:
        if not isinstance(names, list):
            yield self._problem(
                f"The 'names' argument in state '{self._id}' in SLS '{self._sls}' "
                "needs to be formed as a list",
                "names",
            )
            return
        for entry in names:
            if not _is_name(entry):
                yield self._problem(
                    f"Entry {entry!r} of the 'names' argument in state '{self._id}' in SLS '{self._sls}' "
                    "is neither a name nor a name with a list of arguments",
                    "names",
                    *map(str, entry if isinstance(entry, (dict, list)) else ()),
                )

    def _check_requisite(self, kind: str, references: Any) -> Iterator[Problem]:
        if not isinstance(references, list):
            yield self._problem(
                f"The {kind} statement in state '{self._id}' in SLS '{self._sls}' "
                "needs to be formed as a list",
                str(kind),
            )
            return
        for reference in references:
            yield from self._check_reference(str(kind), reference)

    def _check_reference(self, kind: str, reference: Any) -> Iterator[Problem]:
        if isinstance(reference, str):
            return
        if not isinstance(reference, dict) or len(reference) != 1:
            yield self._problem(
                f"Requisite declaration {_as_stock_prints(reference)} in state {self._id} in SLS {self._sls} "
                "is not formed as a single key dictionary",
                kind,
                *map(str, reference if isinstance(reference, (dict, list)) else (reference,)),
            )
            return
        module, value = next(iter(reference.items()))
        if "." in str(module):
            yield self._problem(
                f"Invalid requisite type '{module}' in state '{self._id}', in SLS '{self._sls}'. Requisite "
                f"types must not contain dots, did you mean '{str(module).partition('.')[0]}'?",
                kind,
                str(module),
            )
        if isinstance(value, (list, dict, set)):
            yield self._problem(
                f'Illegal requisite "{value}" in SLS "{self._sls}", please check your syntax.\n',
                kind,
                str(module),
            )

    def _check_function_count(self) -> Iterator[Problem]:
        functions = [item for item in self._arguments if isinstance(item, str)]
        if "." in self._module:
            functions.insert(0, self._module.split(".", 1)[1])
        if not functions:
            yield self._problem(f"No function declared in state '{self._id}' in SLS '{self._sls}'")
        elif len(functions) > 1:
            yield self._problem(
                f"Too many functions declared in state '{self._id}' in SLS '{self._sls}'. "
                f"Please choose one of the following: {', '.join(functions)}",
                functions[0],
            )

    def _problem(self, message: str, *words: str) -> Problem:
        """Return a finding; `words` are the texts below the module that lead to its line."""
        return Problem(message, sls=str(self._sls or ""), state_id=self._id, words=(self._module, *words))


def _as_stock_prints(value: Any) -> str:
    """Return rendered data as stock prints it, with mappings as ordered dicts."""
    return f"OrderedDict({list(value.items())!r})" if isinstance(value, dict) else str(value)


def _is_name(entry: Any) -> bool:
    """Return whether an entry of `names` is a name, or {name: [{argument: value}, ...]}."""
    if not isinstance(entry, dict):
        return isinstance(entry, Hashable)
    overrides = next(iter(entry.values()), 0)
    return overrides is None or (isinstance(overrides, list) and all(map(_is_argument, overrides)))


def _is_argument(item: Any) -> bool:
    return isinstance(item, dict) and all(isinstance(key, str) for key in item)
