"""Look-up of states in high data by argument value, name or SLS.

Extensions and mirrored requisites each look states up by name; a scan per look-up would make large trees
quadratic. The tables are built at the first look-up.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from salt_g.shapes import Arguments
from salt_g.shapes.high_data import Declarations, HighData
from salt_g.state.compile.vocabulary import declared_modules, is_internal

#: (state id, module)
Declared = tuple[Any, str]


class Lookup:
    """Tables over high data as of the first look-up."""

    def __init__(self, high: HighData) -> None:
        self._declarations: Declarations = high.declarations

    def by_argument(self, module: str, value: Any) -> list[Any]:
        """Return the IDs that have an argument (usually `name`) of this value in a module."""
        return self._by_argument.get((module, value), [])

    def by_name(self, name: Any) -> Declared | None:
        """Return the first state that sets this `name`."""
        return self._by_name.get(name)

    def by_sls(self, sls: Any) -> list[Declared]:
        """Return all states declared in an SLS itself, not in its includes."""
        return self._by_sls.get(sls, [])

    def target(self, name: Any, module: str, *, has_module: bool) -> list[Any]:
        """Return the IDs that `name` may refer to: the ID itself, else the IDs of states with that `name`.

        With `has_module` the ID counts only if it declares the module.
        """
        body = self._declarations.get(name)
        if isinstance(body, dict) and (not has_module or module in body):
            return [name]
        return self.by_argument(module, name)

    @functools.cached_property
    def _by_argument(self) -> dict[tuple[str, Any], list[Any]]:
        table: dict[tuple[str, Any], list[Any]] = {}
        for state_id, module, item in self._arguments():
            if len(item) == 1:
                value = next(iter(item.values()))
                if value.__hash__ is not None:
                    ids = table.setdefault((module, value), [])
                    if state_id not in ids[-1:]:
                        ids.append(state_id)
        return table

    @functools.cached_property
    def _by_name(self) -> dict[Any, Declared]:
        table: dict[Any, Declared] = {}
        for state_id, module, item in self._arguments():
            name = item.get("name")
            if name.__hash__ is not None:
                table.setdefault(name, (state_id, module))
        return table

    @functools.cached_property
    def _by_sls(self) -> dict[Any, list[Declared]]:
        table: dict[Any, list[Declared]] = {}
        for state_id, body in self._bodies():
            for module, _ in declared_modules(body):
                table.setdefault(body.get("__sls__"), []).append((state_id, module))
        return table

    def _arguments(self) -> Iterator[tuple[Any, str, Arguments]]:
        for state_id, body in self._bodies():
            for module, arguments in declared_modules(body):
                if isinstance(arguments, list):
                    yield from ((state_id, module, item) for item in arguments if isinstance(item, dict))

    def _bodies(self) -> Iterator[tuple[Any, dict[Any, Any]]]:
        for state_id, body in self._declarations.items():
            if not is_internal(state_id) and isinstance(body, dict):
                yield state_id, body
