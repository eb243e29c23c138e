"""Positional and keyword arguments in a published job's `arg`.

Minions call functions with them and masters check permissions by them, so both must parse `arg` alike.
Keyword arguments are a dict with `__kwarg__` among the arguments, or text like `name=value`. Shapes: `["a",
{"__kwarg__": True, "n": 1}]` -> (["a"], {"n": 1}).
Source: wire specification, section 7.2; tested with stock's minions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.loader.arguments import parse_words
from salt_g.shapes import Arguments, CallArguments

#: Key that marks a dict as keyword arguments.
KWARG = "__kwarg__"


def split_arguments(arg: Sequence[Any]) -> CallArguments:
    """Return the positional and the keyword arguments of a job."""
    args: list[Any] = []
    kwargs: Arguments = {}
    for value in arg:
        if isinstance(value, dict) and value.get(KWARG) is True:
            kwargs.update((str(name), item) for name, item in value.items() if name != KWARG)
        elif isinstance(value, str):
            _add_text(value, args, kwargs)
        else:
            args.append(value)
    return args, kwargs


def _add_text(text: str, args: list[Any], kwargs: Arguments) -> None:
    """Add a text as a positional argument, already parsed by the client, or as a keyword (`name=value`)."""
    if "=" in text:
        _, named = parse_words([text])
        if named:
            kwargs.update(named)
            return
    args.append(text)
