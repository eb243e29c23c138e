"""Minion data used by matchers, built from the running call or from a master's cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class MinionView(NamedTuple):
    """Data of a minion for matching.

    `nodegroups` are those of the configuration; `data` looks up a key of the minion's own data store;
    `range_server` is the `host:port` of a range server. `is_unknown` is set by a master without data of the
    minion: every criterion about data matches then, because the minion itself decides in the end. With
    `exact_pillar`, pillar is compared with whole values only, even if a target has a pattern.
    """

    id: str
    grains: Mapping[str, Any] = {}
    pillar: Mapping[str, Any] = {}
    nodegroups: Mapping[str, Any] = {}
    data: Callable[[str], Any] = lambda key: None
    range_server: str = ""
    is_unknown: bool = False
    exact_pillar: bool = False
