"""Tables of functions for programs outside of a call; each use enters a call with the program's settings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext


class StandaloneTable(Mapping[str, Any]):
    """Table of the functions of one kind of plugin by name, like a plugin's `__salt__`."""

    def __init__(self, context: CallContext, kind: Any) -> None:
        self._context = context
        self._table = context.table(kind)

    def __getitem__(self, name: str) -> Any:
        with api.use(self._context):
            function = self._table[name]
        return _within(self._context, function) if callable(function) else function

    def __contains__(self, name: object) -> bool:
        with api.use(self._context):
            return name in self._table

    def __iter__(self) -> Iterator[str]:
        with api.use(self._context):
            names = list(self._table)
        return iter(names)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getattr__(self, module: str) -> Any:
        """Return the functions of a module, so that `functions.test.ping()` works."""
        if module.startswith("_"):
            raise AttributeError(module)
        return _Module(self, module)


class _Module:
    """The functions of one module, as attributes."""

    def __init__(self, table: Mapping[str, Any], name: str) -> None:
        self._table, self._name = table, name

    def __getattr__(self, function: str) -> Any:
        try:
            return self._table[f"{self._name}.{function}"]
        except LookupError as exc:
            raise AttributeError(str(exc)) from exc


def _within(context: CallContext, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with api.use(context):
            return function(*args, **kwargs)

    return call


__all__ = ["StandaloneTable"]
