"""What matchers know of a minion; built from the running call, or from a master's cache."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any


@dataclasses.dataclass(frozen=True)
class Minion:
    """What matchers know of a minion.

    `nodegroups` are of the configuration; `resources` is {type: [id, ...]}; `data` looks up a
    key of the minion's own data store; `range_server` is the `host:port` of a range server.
    """

    id: str
    grains: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    pillar: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    nodegroups: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    resources: Mapping[str, list[str]] = dataclasses.field(default_factory=dict)
    data: Callable[[str], Any] = lambda key: None
    range_server: str = ""
