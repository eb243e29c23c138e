"""Slots: arguments given as a call of an execution function, evaluated just before the state runs.

Shapes: `__slot__:salt:mod.fun(arg, key=value)[.path.into.result][ ~ text]` is replaced by the result. Slots
are found in strings, in list items, and in first-level values of mappings, even if the mapping is a list
item. A malformed slot, or one that calls an unknown function, is left unchanged. Arguments are never changed
in place: lists and mappings that hold a slot are rebuilt.
Source: stock docs "Slots"; conformance case `run/slots`.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.data.nested import traverse
from salt_g.shapes import Arguments

if TYPE_CHECKING:
    import shlex

log = logging.getLogger(__name__)

#: Prefix of every slot.
MARK = "__slot__:"
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_PATH = re.compile(r"\)\s*\.([^)]*)$")


def fill_slots(arguments: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Arguments:
    """Return the arguments of a call with their slots evaluated."""
    return {key: fill(value, functions) for key, value in arguments.items()}


def fill(value: Any, functions: Mapping[str, Callable[..., Any]]) -> Any:
    """Return one argument with its slots evaluated."""
    if isinstance(value, str):
        return _evaluate(value, functions)
    if isinstance(value, dict):
        return _fill_mapping(value, functions)
    if isinstance(value, list):
        return [
            _fill_mapping(item, functions) if isinstance(item, dict) else _evaluate(item, functions)
            for item in value
        ]
    return value


def parse_call(text: str) -> tuple[str, list[str], dict[str, str]] | None:
    """Return (function, arguments, keyword arguments) of `mod.fun(a, k=v)`, or None if it is not a call.

    Spaces are removed unless they are quoted; commas inside brackets do not separate arguments.
    """
    import shlex  # Imported lazily: most runs have no slot.

    tokens = shlex.shlex(text, posix=True)
    tokens.escapedquotes = "\"'"
    try:
        name = "".join(itertools.takewhile(lambda token: token != "(", tokens))
        return _parse_arguments(name, tokens) if name else None
    except ValueError:
        return None


def _fill_mapping(value: dict[Any, Any], functions: Mapping[str, Callable[..., Any]]) -> dict[Any, Any]:
    if not any(isinstance(item, str) and item.startswith(MARK) for item in value.values()):
        return value
    return {key: _evaluate(item, functions) for key, item in value.items()}


def _evaluate(text: Any, functions: Mapping[str, Callable[..., Any]]) -> Any:
    if not isinstance(text, str) or not text.startswith(MARK):
        return text
    kind, _, expression = text[len(MARK) :].partition(":")
    called = parse_call(expression) if kind == "salt" else None
    if called is None or called[0] not in functions:
        log.warning(
            "slot %r is malformed or calls an unknown function;"
            " expected __slot__:salt:module.function(argument, key=value)",
            text,
        )
        return text
    function, args, kwargs = called
    source, _, appended = expression.partition("~")
    return _append(_value_at_path(functions[function](*args, **kwargs), source), appended.strip())


def _value_at_path(result: Any, source: str) -> Any:
    path = _PATH.search(source.rstrip())
    return traverse(result, path.group(1).strip(), delimiter=".") if path else result


def _append(result: Any, text: str) -> Any:
    if not text:
        return result
    if not isinstance(result, str):
        log.error("slot text %r is not appended: the result is not text", text)
        return result
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return result + text


def _parse_arguments(name: str, tokens: shlex.shlex) -> tuple[str, list[str], dict[str, str]] | None:
    args: list[str] = []
    kwargs: dict[str, str] = {}
    open_brackets: list[str] = []
    words: list[str] = []
    key = None
    for token in tokens:
        if not open_brackets and token in (",", ")"):
            if key is not None:
                kwargs[key] = "".join(words)
            elif words:
                args.append("".join(words))
            if token == ")":
                return name, args, kwargs
            words, key = [], None
        elif not open_brackets and token == "=":
            words, key = [], "".join(words)
        else:
            if token in _CLOSING:
                open_brackets.append(_CLOSING[token])
            elif open_brackets and token == open_brackets[-1]:
                open_brackets.pop()
            words.append(token)
    return None
