"""The words of the state language that more than one layer of the compiler reads.

Why its own file: which keys of a state are requisites and which are for the engine alone is one
piece of knowledge; verify, extend, order and run share it.
Source: stock docs "Requisites and Other Global State Arguments".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

#: Kinds of requisites; a later one outranks an earlier one when two chunks pull at an order number.
RANKED_KINDS = (
    "onfail",
    "onfail_any",
    "onfail_all",
    "require",
    "require_any",
    "onchanges",
    "onchanges_any",
    "watch",
    "watch_any",
    "prereq",
    "prerequired",
    "listen",
)
#: The rank of each kind.
RANK = {kind: rank for rank, kind in enumerate(RANKED_KINDS)}
#: The kinds that put one chunk before another, in the order in which a chunk's are read.
ORDERING_KINDS = (
    "require",
    "require_any",
    "watch",
    "watch_any",
    "prereq",
    "onfail",
    "onfail_any",
    "onfail_all",
    "onchanges",
    "onchanges_any",
)
#: Keys whose value has to be a list of references (stock counts `onfail_stop` among them).
REQUISITES = frozenset(RANKED_KINDS) | {"onfail_stop"}
#: Keys that put a requisite into another state.
MIRRORED = frozenset({"require_in", "watch_in", "onchanges_in", "onfail_in", "prereq_in", "listen_in"})
#: Keys that mirror or copy at compile time (`listen_in` waits for the end of the run).
BORROWING = frozenset({"require_in", "watch_in", "onfail_in", "onchanges_in", "prereq_in", "use", "use_in"})
#: Keys that the engine keeps to itself unless the state function names them as parameters.
ENGINE_KEYS = (
    REQUISITES
    | MIRRORED
    | {
        "aggregate",
        "check_cmd",
        "cmd_opts_exclude",
        "creates",
        "failhard",
        "fire_event",
        "fun",
        "no_log",
        "onlyif",
        "order",
        "parallel",
        "provider",
        "reload_grains",
        "reload_modules",
        "reload_pillar",
        "retry",
        "runas",
        "runas_password",
        "saltenv",
        "state",
        "umask",
        "unless",
        "use",
        "use_in",
    }
)
#: Marks of a value that is a pattern and not a name.
PATTERN_MARKS = frozenset("*?[]")


def is_internal(key: Any) -> bool:
    """Return whether a key of high data is the compiler's own (`__sls__`, `__extend__`)."""
    return isinstance(key, str) and key.startswith("__")


def is_pattern(value: str) -> bool:
    """Return whether a requisite's value is a pattern."""
    return not PATTERN_MARKS.isdisjoint(value)


def declared_modules(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield (module, arguments) of one ID of high data."""
    for key, value in body.items():
        if not is_internal(key):
            yield key, value


def first_key(mapping: Mapping[str, Any]) -> Any:
    """Return the first key of a mapping, None when it is empty."""
    return next(iter(mapping), None)
