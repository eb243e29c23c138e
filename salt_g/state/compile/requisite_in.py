"""Mirrored requisites (`require_in`, `watch_in`, ..., `use`, `use_in`) as extensions of other states.

Because each mirrored requisite becomes an extension of the waiting state, the later layers need no rule for
it.

Shapes: the declarations of verified high data are changed in place. Items of a mirrored requisite are
{module: id or name}, {sls: name}, or a bare ID or name; a single mapping may replace the list.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from salt_g.shapes import Arguments
from salt_g.shapes.high_data import HighData
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.extend import apply_extensions
from salt_g.state.compile.lookup import Declared, Lookup
from salt_g.state.compile.verify import verified
from salt_g.state.compile.vocabulary import BORROWING, declared_modules, first_key, is_internal

#: Arguments that `use` never copies, like those that the using state sets itself.
NOT_COPIED = BORROWING | {"require", "watch", "prereq", "onfail", "onfail_stop", "onchanges", "name", "names"}


def apply_mirrored(high: HighData, *, disabled: Container[str] = ()) -> list[Problem]:
    """Apply every mirrored requisite to its target, except `disabled` kinds; return the findings."""
    mirror = _Mirror(high)
    for state_id, module, item in list(_borrowings(high, disabled)):
        mirror.add(state_id, module, first_key(item), next(iter(item.values())))
    extensions = tuple({state_id: body} for state_id, body in mirror.extensions.items())
    mirrored = high._replace(extensions=extensions)
    return mirror.problems + list(apply_extensions(mirrored, has_module=True))


def _borrowings(high: HighData, disabled: Container[str]) -> Iterator[tuple[Any, str, Arguments]]:
    for state_id, body in verified(high).items():
        if is_internal(state_id):
            continue
        for module, arguments in declared_modules(body):
            for item in arguments:
                if isinstance(item, dict) and not BORROWING.isdisjoint(item):
                    key = first_key(item)
                    if key in BORROWING and key not in disabled:
                        yield state_id, module, item


class _Mirror:
    """Collected extensions: {id: {module: [arguments], "__sls__", "__env__"}}."""

    def __init__(self, high: HighData) -> None:
        self.extensions: dict[Any, dict[str, Any]] = {}
        self.problems: list[Problem] = []
        self._declared = verified(high)
        self._lookup = Lookup(high)

    def add(self, state_id: Any, module: str, key: str, items: Any) -> None:
        """Add the extensions of one `*_in`, `use` or `use_in` argument of a state."""
        if isinstance(items, dict):
            self._add_mapping(state_id, module, key, items)
        elif isinstance(items, list):
            for target_id, target_module in self._targets(state_id, key, items):
                if key == "use":
                    self._copy((target_id, target_module), [(state_id, module)])
                elif key == "use_in":
                    self._copy_to_named((state_id, module), target_id, target_module)
                else:
                    self._require((state_id, module), key, target_id, target_module)

    def _add_mapping(self, state_id: Any, module: str, key: str, items: Arguments) -> None:
        for target_module, target in items.items():
            if "." in target_module:
                self._report_dots(state_id, key, target_module, target, " ")
            if self._is_name(state_id, key, target):
                self._require((state_id, module), key, target, target_module.partition(".")[0])

    def _targets(self, state_id: Any, key: str, items: list[Any]) -> Iterator[Declared]:
        for item in items:
            if isinstance(item, dict) and item:
                target_module, target = next(iter(item.items()))
            else:
                target, target_module = self._bare(item)
            if target_module is None or not self._is_name(state_id, key, target):
                continue
            if "." in target_module:
                self._report_dots(state_id, key, target_module, target, ", ")
            if target_module == "sls":
                yield from self._lookup.by_sls(target)
            else:
                yield target, target_module

    def _bare(self, item: Any) -> tuple[Any, str | None]:
        """Return the state of a bare string: the first module of that ID, else a state of that name."""
        if not isinstance(item, str):
            return item, None
        if isinstance(self._declared.get(item), dict):
            return item, next((module for module, _ in declared_modules(self._declared[item])), None)
        return self._lookup.by_name(item) or (item, None)

    def _is_name(self, state_id: Any, key: str, target: Any) -> bool:
        if isinstance(target, (list, dict)):
            sls = self._declared[state_id]["__sls__"]
            message = f'Illegal requisite "{target}" in SLS "{sls}", please check your syntax.\n'
            self.problems.append(Problem(message, sls=str(sls), state_id=state_id, words=(key,)))
            return False
        return True

    def _require(self, source: Declared, key: str, target_id: Any, target_module: str) -> None:
        kind = key.partition("_")[0]
        source_id, module = source
        arguments = self._arguments(target_id, target_module)
        extension = self.extensions[target_id]
        extension["__sls__"] = self._declared[source_id].get("__sls__")
        extension["__env__"] = self._declared[source_id].get("__env__")
        for item in arguments:
            if first_key(item) == kind:
                item[kind].append({module: source_id})
                return
        arguments.append({kind: [{module: source_id}]})

    def _copy_to_named(self, source: Declared, target_id: Any, target_module: str) -> None:
        found = self._lookup.target(target_id, target_module, has_module=True)
        self._copy_arguments(source, [(state_id, target_module) for state_id in found])

    def _copy(self, named: Declared, targets: list[Declared]) -> None:
        for state_id in self._lookup.target(*named, has_module=True):
            self._copy_arguments((state_id, named[1]), targets)

    def _copy_arguments(self, source: Declared, targets: list[Declared]) -> None:
        for target_id, target_module in targets:
            own = {first_key(item) for item in self._single_arguments(target_id, target_module)}
            self._arguments(target_id, target_module).extend(
                item
                for item in self._single_arguments(*source)
                if first_key(item) not in own and first_key(item) not in NOT_COPIED
            )

    def _single_arguments(self, state_id: Any, module: str) -> list[Arguments]:
        arguments = self._declared[state_id][module]
        return [item for item in arguments if isinstance(item, dict) and len(item) == 1]

    def _arguments(self, state_id: Any, module: str) -> list[Any]:
        arguments: list[Any] = self.extensions.setdefault(state_id, {}).setdefault(module, [])
        return arguments

    def _report_dots(self, state_id: Any, key: str, module: str, target: Any, joint: str) -> None:
        sls = self._declared[state_id].get("__sls__")
        self.problems.append(
            Problem(
                f"Invalid requisite in {key.partition('_')[0]}: {module} for {target}{joint}in SLS '{sls}'. "
                f"Requisites must not contain dots, did you mean '{module.partition('.')[0]}'?",
                sls=str(sls),
                state_id=state_id,
            )
        )
