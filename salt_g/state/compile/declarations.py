"""Declarations of one rendered SLS file, normalized to one form.

A state can be written in four ways (`id: mod.fun`, `id: {mod.fun: [...]}`, `id: {mod: [fun, ...]}`, or one
ID with several modules); later layers see only one.

Shapes: the rendered mapping is changed in place. `include` is removed, `extend` and `exclude` become the
lists `__extend__` and `__exclude__`, and the states become {id: {module: [argument mappings..., function],
"__sls__", "__env__"}}.
"""

from __future__ import annotations

from typing import Any

from salt_g.shapes import Declaration, HighData
from salt_g.state.compile.diagnostics import Problems
from salt_g.state.compile.vocabulary import first_key


class Declarations:
    """One SLS file: its name, its environment and its data during normalization."""

    def __init__(self, data: HighData, *, sls: str, saltenv: str, problems: Problems) -> None:
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

    def take_extend(self) -> None:
        """Move the extend declaration to `__extend__`, normalized."""
        if "extend" not in self.data:
            return
        extend = self.data.pop("extend")
        if not isinstance(extend, dict):
            self._report(f"Extension value in SLS '{self.sls}' is not a dictionary", "extend")
            return
        for state_id in [key for key, body in extend.items() if not isinstance(body, dict)]:
            text = f"Extension name '{state_id}' in SLS '{self.sls}' is not a dictionary"
            self._report(text, "extend", str(state_id))
            del extend[state_id]
        for body in extend.values():
            body.setdefault("__sls__", self.sls)
            body.setdefault("__env__", self.saltenv)
            for key in _dotted_keys(body):
                _split_function(body, key)
        self.data.setdefault("__extend__", []).append(extend)

    def take_exclude(self) -> None:
        """Move the exclude declaration to `__exclude__`."""
        if "exclude" not in self.data:
            return
        exclude = self.data.pop("exclude")
        if not isinstance(exclude, list):
            self._report(f"Exclude Declaration in SLS {self.sls} is not formed as a list", "exclude")
            return
        self.data.setdefault("__exclude__", []).extend(exclude)

    def complete_states(self) -> None:
        """Expand short declarations, split dotted keys, and add SLS and environment to each state."""
        for state_id, body in self.data.items():
            if state_id in ("__extend__", "__exclude__"):
                continue
            if isinstance(body, str) and "." in body:
                self.data[state_id] = self._from_short(body)
            elif not isinstance(body, dict):
                self._report(f"ID {state_id} in SLS {self.sls} is not a dictionary", state_id)
            else:
                # A copy, because a YAML alias may share a whole body, as it may share a list.
                self.data[state_id] = self._completed(state_id, dict(body))

    def _from_short(self, text: str) -> Declaration:
        module, function = text.split(".")[:2]
        return {"__sls__": self.sls, "__env__": self.saltenv, module: [function]}

    def _completed(self, state_id: Any, body: Declaration) -> Declaration:
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

    def number(self, data: HighData) -> None:
        """Append `{order: N}` to each argument list without an order."""
        if not self._is_active:
            return
        for body in data.values():
            for module in _argument_lists(body) if isinstance(body, dict) else ():
                if not _has_order(body[module]):
                    body[module] = [*body[module], {"order": self._next}]
                    self._next += 1


def _has_order(arguments: list[Any]) -> bool:
    for item in arguments:  # noqa: SIM110 - a generator for each state takes twice as long
        if isinstance(item, dict) and first_key(item) == "order":
            return True
    return False


def _argument_lists(body: Declaration) -> list[str]:
    return [
        key
        for key, value in body.items()
        if isinstance(value, list) and isinstance(key, str) and not key.startswith("_")
    ]


def _dotted_keys(body: Declaration) -> list[str]:
    return [key for key in _argument_lists(body) if "." in key]


def _split_function(body: Declaration, key: str) -> None:
    """Turn {mod.fun: [arguments]} into {mod: [arguments, fun]}; drop what follows a second dot."""
    module, function = key.split(".")[:2]
    # A new list: a YAML alias may share one list among the arguments of several states.
    body[module] = [*body.pop(key), function]
