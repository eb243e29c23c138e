"""Mine data, read from the master."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import opts, services


def get(tgt: Any, fun: Any, tgt_type: str = "glob") -> dict[str, Any]:
    """Return the mine data of `fun` by minion id; for several functions by function first.

    Data that a minion shares with some minions only is omitted.

    Example::

        salt-g run mine.get '*' network.interfaces
    """
    found: dict[str, Any] = services().mine.ask(tgt, fun, tgt_type, reader=str(opts["id"]))
    return found


def update(
    tgt: Any, tgt_type: str = "glob", clear: bool = False, mine_functions: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Make minions update their mine data; return {minion id: whether it was stored}.

    Example::

        salt-g run mine.update '*'
    """
    kwargs = {"clear": clear, "mine_functions": mine_functions}
    answers: dict[str, Any] = services().client.cmd(tgt, "mine.update", tgt_type=tgt_type, kwarg=kwargs)
    return answers
