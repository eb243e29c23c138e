"""The mine, read from the master."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import opts, services


def get(tgt: Any, fun: Any, tgt_type: str = "glob") -> dict[str, Any]:
    """Return what minions share under `fun`, by minion id; of several functions by function first.

    What a minion shares with some minions only is left out.

    Example::

        salt-g run mine.get '*' network.interfaces
    """
    found: dict[str, Any] = services().mine.ask(tgt, fun, tgt_type, reader=str(opts["id"]))
    return found


def update(
    tgt: Any, tgt_type: str = "glob", clear: bool = False, mine_functions: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Let minions update what they share; return {minion id: whether it is kept}.

    Example::

        salt-g run mine.update '*'
    """
    kwargs = {"clear": clear, "mine_functions": mine_functions}
    answers: dict[str, Any] = services().client.cmd(tgt, "mine.update", tgt_type=tgt_type, kwarg=kwargs)
    return answers
