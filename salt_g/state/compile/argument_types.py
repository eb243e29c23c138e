"""Arguments whose type differs from what the state function expects.

A function given a list instead of text fails somewhere inside, with an error about its own code. The expected
types come from annotations, else from defaults. Values are compared only after a failure, so successful runs
pay nothing.
Shapes: messages hold names and types of arguments, never their values.
"""

from __future__ import annotations

import collections.abc
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.loader.signature import signature_of

#: Exceptions that a function may raise for a value of the wrong type.
ERRORS_OF_TYPES = (TypeError, AttributeError, ValueError, LookupError)

_NUMBERS = (int, float)
_WORDS: dict[Any, str] = {
    str: "text",
    bytes: "bytes",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a mapping",
    type(None): "nothing",
}


class _Misfit(NamedTuple):
    """Argument of the wrong type; `is_deep` if a list or mapping is given, or nothing else is expected."""

    where: str
    given: type
    wanted: tuple[type, ...]
    is_deep: bool

    def sentence(self) -> str:
        wanted = dict.fromkeys(_word(kind) for kind in self.wanted if kind is not type(None))
        return f"{self.where} is {_word(self.given)}, expected {' or '.join(wanted)}"


def wrong_argument(function: Callable[..., Any], arguments: Mapping[str, Any], exc: Exception) -> str:
    """Return a sentence about the wrong argument (`"mode" is a list, expected text`), or '' if none is wrong.

    A scalar of another kind, which many functions accept, counts only when the error mentions its type.
    """
    found = [
        misfit
        for name, value in arguments.items()
        for misfit in _misfits(name, value, _wanted(function, name))
    ]
    blamed = [misfit for misfit in found if _blames(exc, misfit.given)]
    best = (
        [misfit for misfit in blamed if misfit.is_deep]
        or [misfit for misfit in found if misfit.is_deep]
        or blamed
    )
    return "; ".join(misfit.sentence() for misfit in best)


def _misfits(name: str, value: Any, hint: Any) -> Iterator[_Misfit]:
    choices = _choices(hint)
    kinds = tuple(dict.fromkeys(_kind(choice) for choice in choices))
    if object in kinds:
        return
    if not any(_is(value, kind) for kind in kinds):
        yield _Misfit(f'"{name}"', type(value), kinds, _is_deep(value, kinds))
    elif isinstance(value, list):
        yield from _misfits_within(name, value, [choice for choice in choices if _kind(choice) is list])


def _misfits_within(name: str, values: list[Any], lists: list[Any]) -> Iterator[_Misfit]:
    """Yield a misfit for each item of a list that has none of the expected item types."""
    inner = [part for choice in lists for part in typing.get_args(choice)[:1] or (Any,)]
    kinds = tuple(dict.fromkeys(_kind(choice) for part in inner for choice in _choices(part)))
    if object in kinds:
        return
    for number, value in enumerate(values, 1):
        if not any(_is(value, kind) for kind in kinds):
            yield _Misfit(f'item {number} of "{name}"', type(value), kinds, _is_deep(value, kinds))


def _wanted(function: Callable[..., Any], name: str) -> Any:
    """Return the annotation of a parameter, or the type of its default; Any if it has neither."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    hint = getattr(function, "__annotations__", {}).get(name)
    if isinstance(hint, str):
        hint = _evaluated(hint, getattr(function, "__globals__", {}))
    if hint is None and name in (defaults := signature_of(function).defaults) and defaults[name] is not None:
        hint = type(defaults[name])
    return Any if hint is None else hint


def _evaluated(hint: str, names: dict[str, Any]) -> Any:
    """Evaluate a quoted annotation (as under `from __future__ import annotations`)."""
    try:
        annotated = types.SimpleNamespace(__annotations__={"it": hint})
        return typing.get_type_hints(annotated, names)["it"]
    except Exception:  # the annotation is a plugin's, and may name an import made for type checkers only
        return Any


def _choices(hint: Any) -> tuple[Any, ...]:
    is_union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    return tuple(inner for part in typing.get_args(hint) for inner in _choices(part)) if is_union else (hint,)


def _kind(hint: Any) -> type:
    """Return the class that an annotation (never a union) stands for; `object` if any value fits."""
    origin = typing.get_origin(hint) or hint
    if origin is None:
        return type(None)
    if not isinstance(origin, type):
        return object
    if origin in (str, bytes, bool, int, float, type(None)):
        return origin
    if issubclass(origin, collections.abc.Mapping):
        return dict
    is_list = issubclass(origin, (list, tuple, collections.abc.Set)) or origin in _LISTS
    return list if is_list else object


_LISTS = (collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)


def _is(value: Any, kind: type) -> bool:
    if kind in _NUMBERS:
        return isinstance(value, _NUMBERS) and not isinstance(value, bool)
    if kind is list:
        return isinstance(value, (list, tuple, set))
    return isinstance(value, kind)


def _is_deep(value: Any, kinds: tuple[type, ...]) -> bool:
    """Return whether the value, or each expected type, is a list or mapping; None is never deep."""
    takes_scalars = any(kind not in (list, dict, type(None)) for kind in kinds)
    return isinstance(value, (list, dict)) or (not takes_scalars and value is not None)


def _blames(exc: Exception, kind: type) -> bool:
    """Return whether an error message blames a type, as in `not list` or `'int' object`."""
    names = {kind.__name__, "dict"} if issubclass(kind, dict) else {kind.__name__}
    return any(re.search(rf"""(?:not |not "|'){name}\b""", str(exc)) for name in names)


def _word(kind: type) -> str:
    known = next((base for base in kind.__mro__ if base in _WORDS), None)
    return _WORDS[known] if known else kind.__name__
