"""Mine data, read from the master."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import opts, services
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import Answers, MineValues


def get(tgt: Any, fun: Any, tgt_type: str = "glob") -> MineValues:
    """Return {minion id: mine data} of a function, or {function: {minion id: mine data}} of several.

    Data that a minion shares with some minions only is omitted.

    Example::

        salt-g run mine.get '*' network.interfaces
    """
    return services(MasterServices).mine.ask(tgt, fun, tgt_type, reader=str(opts["id"]))


def update(
    tgt: Any, tgt_type: str = "glob", clear: bool = False, mine_functions: Mapping[str, Any] | None = None
) -> Answers:
    """Make minions update their mine data; return {minion id: whether it was stored}.

    Example::

        salt-g run mine.update '*'
    """
    kwargs = {"clear": clear, "mine_functions": mine_functions}
    return services(MasterServices).client.cmd(tgt, "mine.update", tgt_type=tgt_type, kwarg=kwargs)
