"""Say which function or subcommand was probably meant when there is none of the name that was asked for.

Why its own file: what minions and runners return is stock's text and data; this stands beside it, for people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

#: Hints are for people: of so many names one is meant.
MOST = 3
#: Words that newcomers try in place of a subcommand.
_WORDS = {"help": "--help", "version": "--version", "invite": "key invite", "keys": "key", "salt": "cmd"}


def subcommands(word: str) -> list[str]:
    """Return the beginning of the command line that a first word was probably meant to be."""
    import difflib

    from salt_g.cli.dispatch import SUBCOMMANDS

    if word in _WORDS:
        return [f"salt-g {_WORDS[word]}"]
    # A short word differs much by one letter: `ky` is as like `key` as `kye` is.
    near = difflib.get_close_matches(word, SUBCOMMANDS, n=1, cutoff=0.6)
    return [f"salt-g {name}" for name in near if "." not in word]


def runners(fun: str, why: object, opts: Mapping[str, Any]) -> list[str]:
    """Return a line when a runner says that it is not there and others are like it."""
    if why != f"{fun!r} is not available.":
        return []
    from salt_g.loader import Loader

    near = Loader(dict(opts)).table("runners").nearest(fun)[:MOST]
    return [f"Did you mean {_or(near)}?"] if near else []


def hints(fun: str | Sequence[str], values: Iterable[Any], opts: Mapping[str, Any]) -> list[str]:
    """Return a line for each of the functions that a value says is not there, where others are like it."""
    missing = _missing([fun] if isinstance(fun, str) else list(fun), values)
    if not missing:
        return []
    from salt_g.loader import Loader

    table = Loader(dict(opts)).table("modules")
    nearest = {name: [near for near in table.nearest(name)[:MOST] if near != name] for name in missing}
    return [f"{name!r} is not available. Did you mean {_or(near)}?" for name, near in nearest.items() if near]


def _missing(funs: Sequence[str], values: Iterable[Any]) -> list[str]:
    """Return those of `funs` that a value says are not available; it may be a map of several functions."""
    said: set[str] = set()
    for value in values:
        for text in value.values() if isinstance(value, dict) else [value]:
            if isinstance(text, str):
                said.add(text[: text.find(" is not available") + 1].strip())
    return [fun for fun in funs if f"'{fun}'" in said]


def _or(names: Sequence[str]) -> str:
    return " or ".join(names)
