"""One-line summary of a load for the log: its command and the fields that describe its subject.

Arguments, returns, grains and pillar are never shown, because they may hold secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Fields shown, in this order.
SHOWN = ("fun", "jid", "tgt", "tgt_type", "tag", "path", "saltenv", "loc", "user")
#: Longest shown value, in characters.
LONGEST = 100


class LoadSummary:
    """Load whose summary is made only when it is logged, so that a suppressed line costs nothing."""

    __slots__ = ("_load",)

    def __init__(self, load: Mapping[str, Any]) -> None:
        self._load = load

    def __str__(self) -> str:
        load = self._load
        parts = [_cut(load["cmd"])] if "cmd" in load else []
        parts += [f"{name}={_cut(load[name])}" for name in SHOWN if load.get(name) not in (None, "")]
        return " ".join(parts)


def _cut(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        # No more of a list of functions or minions is formatted than is shown.
        value = ",".join(part[:LONGEST] for part in value[:LONGEST] if isinstance(part, str))
    text = str(value) if isinstance(value, (str, int, float)) else type(value).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
