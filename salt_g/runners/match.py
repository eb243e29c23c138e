"""Target matching: the minions that a target selects, and the reasons."""

from __future__ import annotations

from typing import Any

from salt_g.api import scratch, services
from salt_g.errors import TargetError
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import ExplainedMatch


def explain(
    tgt: Any, tgt_type: str = "glob", delimiter: str = ":"
) -> dict[str, ExplainedMatch] | dict[str, str]:
    """Return {id: {matched, terms}}: each minion's compared values, their age in seconds, and the matches.

    A malformed target returns {Error: message}.

    Example::

        salt-g run match.explain 'G@os:Debian and not db*' tgt_type=compound
    """
    try:
        found = services(MasterServices).target_explain.explain(tgt, tgt_type, delimiter=delimiter)
    except TargetError as exc:
        scratch["retcode"] = 1
        return {"Error": str(exc)}
    return found


def compound_matches(expr: Any, minion_id: str) -> dict[str, Any]:
    """Return {res: minion_id} when a compound target certainly matches a minion, else {res: False}.

    Pillar is compared with whole values only, and a minion without known data matches by its id alone, so it
    is safe to allow minions to call this (`peer_run`).

    Example::

        salt-g run match.compound_matches 'G@os:Deb* and not db*' web1
    """
    try:
        is_match = services(MasterServices).target_explain.matches(expr, minion_id)
    except TargetError:
        is_match = False
    return {"res": minion_id if is_match else False}
