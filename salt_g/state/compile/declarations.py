"""Declarations of one rendered SLS file, normalized to one form.

A state can be written in four ways (`id: mod.fun`, `id: {mod.fun: [...]}`, `id: {mod: [fun, ...]}`, or one
ID with several modules); later layers see only one.

Shapes: `include`, `extend` and `exclude` are taken out of the rendered mapping. The states become {id:
{module: [argument mappings..., function], "__sls__", "__env__"}}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.shapes.high_data import Declaration, Declarations, Extension, HighData, MalformedChanges, SlsData
from salt_g.state.compile.diagnostics import Problems
from salt_g.state.compile.vocabulary import first_key


class DeclaredSls:
    """One SLS file: its name, its environment and its data during normalization."""

    def __init__(self, data: SlsData, *, sls: str, saltenv: str, problems: Problems) -> None:
        self.data = data
        self.sls = sls
        self.saltenv = saltenv
        self._problems = problems

    def take_includes(self) -> list[Any]:
        """Remove and return the include declaration; [] if it is missing or malformed."""
        if "include" not in self.data:
            return []
        if not isinstance(self.data["include"], list):
            # As in stock, the malformed declaration stays and is reported a second time, as a state.
            self._report(f"Include Declaration in SLS {self.sls} is not formed as a list", "include")
            return []
        return list(self.data.pop("include"))

    def high_data(self) -> HighData:
        """Return all declarations of the file except its includes, normalized."""
        extension, exclusions = self._take_extension(), self._take_exclusions()
        high = self._read()
        if extension is not None:
            high = high.with_extensions([extension])
        if exclusions is not None:
            high = high.with_exclusions(exclusions)
        self._complete(high.declarations)
        return high

    def _read(self) -> HighData:
        """Return the high data of the file; malformed changes are reported and left out."""
        while True:
            try:
                return HighData.of(self.data)
            except MalformedChanges as exc:
                self._report(f"{exc.key} in SLS '{self.sls}' {exc.fault}", exc.key)
                del self.data[exc.key]

    def _take_extension(self) -> Extension | None:
        """Remove and return the extend declaration, normalized; None if it is missing or malformed."""
        if "extend" not in self.data:
            return None
        extend = self.data.pop("extend")
        if not isinstance(extend, dict):
            self._report(f"Extension value in SLS '{self.sls}' is not a dictionary", "extend")
            return None
        for state_id in [key for key, body in extend.items() if not isinstance(body, dict)]:
            text = f"Extension name '{state_id}' in SLS '{self.sls}' is not a dictionary"
            self._report(text, "extend", str(state_id))
            del extend[state_id]
        for body in extend.values():
            body.setdefault("__sls__", self.sls)
            body.setdefault("__env__", self.saltenv)
            for key in _dotted_keys(body):
                _split_function(body, key)
        return extend

    def _take_exclusions(self) -> list[object] | None:
        """Remove and return the exclude declaration; None if it is missing or malformed."""
        if "exclude" not in self.data:
            return None
        exclude = self.data.pop("exclude")
        if not isinstance(exclude, list):
            self._report(f"Exclude Declaration in SLS {self.sls} is not formed as a list", "exclude")
            return None
        return exclude

    def _complete(self, declarations: Declarations) -> None:
        """Expand short declarations, split dotted keys, and add SLS and environment to each state."""
        for state_id, body in declarations.items():
            if isinstance(body, str) and "." in body:
                declarations[state_id] = self._from_short(body)
            elif not isinstance(body, dict):
                self._report(f"ID {state_id} in SLS {self.sls} is not a dictionary", state_id)
            else:
                # A copy, because a YAML alias may share a whole body, as it may share a list.
                declarations[state_id] = self._completed(state_id, dict(body))

    def _from_short(self, text: str) -> Declaration:
        module, function = text.split(".")[:2]
        return {"__sls__": self.sls, "__env__": self.saltenv, module: [function]}

    def _completed(self, state_id: Any, body: dict[Any, Any]) -> dict[Any, Any]:
        modules = set()
        for key in _argument_lists(body):
            module = key.split(".", 1)[0]
            if "." not in key:
                modules.add(key)
            elif module in modules:
                self._report(
                    f"ID '{state_id}' in SLS '{self.sls}' contains multiple state declarations "
                    "of the same type",
                    state_id,
                    key,
                )
            else:
                _split_function(body, key)
                modules.add(module)
        body.setdefault("__sls__", self.sls)
        body.setdefault("__env__", self.saltenv)
        return body

    def _report(self, message: str, state_id: Any = None, *words: str) -> None:
        self._problems.add(message, sls=self.sls, state_id=state_id, words=words)


class OrderNumbers:
    """Numbers for states without an `order`, counted over all files of a run."""

    #: Number of the first state; orders written by users stay below it.
    FIRST = 10000

    def __init__(self, *, is_active: bool) -> None:
        self._next = self.FIRST
        self._is_active = is_active

    def number(self, declarations: Declarations) -> None:
        """Append `{order: N}` to each argument list without an order."""
        if not self._is_active:
            return
        for body in declarations.values():
            if isinstance(body, dict):
                self._number_state(body)

    def _number_state(self, body: dict[Any, Any]) -> None:
        for module in _argument_lists(body):
            if not _has_order(body[module]):
                body[module] = [*body[module], {"order": self._next}]
                self._next += 1


def _has_order(arguments: list[Any]) -> bool:
    for item in arguments:  # noqa: SIM110 - a generator for each state takes twice as long
        if isinstance(item, dict) and first_key(item) == "order":
            return True
    return False


def _argument_lists(body: Mapping[Any, Any]) -> list[str]:
    return [
        key
        for key, value in body.items()
        if isinstance(value, list) and isinstance(key, str) and not key.startswith("_")
    ]


def _dotted_keys(body: Mapping[Any, Any]) -> list[str]:
    return [key for key in _argument_lists(body) if "." in key]


def _split_function(body: dict[Any, Any], key: str) -> None:
    """Turn {mod.fun: [arguments]} into {mod: [arguments, fun]}; drop what follows a second dot."""
    module, function = key.split(".")[:2]
    # A new list: a YAML alias may share one list among the arguments of several states.
    body[module] = [*body.pop(key), function]
