"""Parameters of plugin functions.

Read from code objects, because `inspect` takes 8 ms to import and is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, NamedTuple

_HAS_VARARGS = 0x04
_HAS_VARKEYWORDS = 0x08


class Signature(NamedTuple):
    """Parameters of a function; `defaults` has those with a default."""

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    defaults: Mapping[str, Any]
    takes_varargs: bool
    takes_keywords: bool

    @property
    def names(self) -> tuple[str, ...]:
        """All named parameters."""
        return self.positional + self.keyword_only

    @property
    def required(self) -> tuple[str, ...]:
        """Named parameters without a default."""
        return tuple(name for name in self.names if name not in self.defaults)

    def accepts(self, name: str) -> bool:
        """Return whether the function can be called with `name=`."""
        return self.takes_keywords or name in self.names


def signature_of(function: Callable[..., Any]) -> Signature:
    """Return the parameters of a function, or of the one it wraps; a partial has those left to its caller."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code: CodeType | None = getattr(function, "__code__", None)
    return _from_inspect(function) if code is None else _from_code(function, code)


def _from_code(function: Any, code: CodeType) -> Signature:
    names = code.co_varnames
    positional = names[: code.co_argcount]
    keyword_only = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    values = function.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    if getattr(function, "__self__", None) is not None:
        positional = positional[1:]
    return Signature(
        positional,
        keyword_only,
        {**defaults, **(function.__kwdefaults__ or {})},
        bool(code.co_flags & _HAS_VARARGS),
        bool(code.co_flags & _HAS_VARKEYWORDS),
    )


def _from_inspect(function: Callable[..., Any]) -> Signature:
    import inspect

    parameters = inspect.signature(function).parameters.values()
    kinds = inspect.Parameter
    return Signature(
        tuple(p.name for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)),
        tuple(p.name for p in parameters if p.kind is kinds.KEYWORD_ONLY),
        {p.name: p.default for p in parameters if p.default is not kinds.empty},
        any(p.kind is kinds.VAR_POSITIONAL for p in parameters),
        any(p.kind is kinds.VAR_KEYWORD for p in parameters),
    )
