"""Keywords of the state language that several layers share.

Source: stock docs "Requisites and Other Global State Arguments".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Kinds of requisites, lowest rank first. For a chunk's order, a dependant counts only if its kind ranks no
#: lower than that of the last one that counted.
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
#: Rank of each kind.
RANK = {kind: rank for rank, kind in enumerate(RANKED_KINDS)}
#: Kinds that order one chunk before another, in the order in which a chunk's requisites are read.
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
#: Keys whose value must be a list of references; as in stock, `onfail_stop` is one of them.
REQUISITES = frozenset(RANKED_KINDS) | {"onfail_stop"}
#: Keys that add a requisite to another state.
MIRRORED = frozenset({"require_in", "watch_in", "onchanges_in", "onfail_in", "prereq_in", "listen_in"})
#: Keys resolved at compile time by mirroring or copying (`listen_in` is resolved at the end of the run).
BORROWING = frozenset({"require_in", "watch_in", "onfail_in", "onchanges_in", "prereq_in", "use", "use_in"})
#: Keys consumed by the engine unless the state function has a parameter of that name.
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
#: Characters that make a value a pattern.
PATTERN_MARKS = frozenset("*?[]")


def is_internal(key: Any) -> bool:
    """Return whether a key of high data belongs to the compiler (`__sls__`)."""
    return isinstance(key, str) and key.startswith("__")


def is_pattern(value: str) -> bool:
    """Return whether a requisite's value is a pattern."""
    return not PATTERN_MARKS.isdisjoint(value)


def declared_modules(body: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return (module, arguments) of each module of one ID of high data."""
    # Called several times per state, so `is_internal` is inlined.
    return [item for item in body.items() if not (isinstance(item[0], str) and item[0].startswith("__"))]


def first_key(mapping: Mapping[str, Any]) -> Any:
    """Return the first key of a mapping, or None when it is empty."""
    return next(iter(mapping), None)
