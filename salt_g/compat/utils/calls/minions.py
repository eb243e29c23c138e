"""Stock's `salt.utils.minions`: target resolution and minion data on a master."""

import re
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.data.nested import DELIMITER
from salt_g.services.daemons import MasterServices

#: Word of a compound target; groups: letter of the target type, delimiter, pattern.
_WORD = re.compile(r"(?P<engine>[GPILEJSNRTM](?=(?:.)?@))(?P<delimiter>[^@])?@(?P<pattern>.+)", re.DOTALL)
#: (id, grains, pillar) of a minion; None for what is unknown.
_MinionData = tuple[str | None, Any, Any]


class CkMinions:
    """Resolver of targets; outside of a master it knows only the minion of the call."""

    def __init__(self, opts: Mapping[str, Any]) -> None:
        self.opts = opts

    def check_minions(
        self, expr: Any, tgt_type: str = "glob", delimiter: str = DELIMITER, greedy: bool = True
    ) -> dict[str, list[str]]:
        """Return {"minions": matching ids, "missing": ids of a list target that are unknown}."""
        services = api.services()
        if not hasattr(services, "targets"):
            own = str(api.current().opts.get("id", ""))
            return {"minions": [own] if services.match.matches(expr, tgt_type) else [], "missing": []}
        found = services.of(MasterServices).targets.resolve(
            expr, tgt_type, delimiter=delimiter, greedy=greedy
        )
        return {"minions": list(found.minions), "missing": list(found.missing)}

    def connected_ids(self, *stock: Any, **more: Any) -> set[str]:
        """Return the ids of connected minions."""
        return set(api.services(MasterServices).presence.connected())


def get_minion_data(minion: str | None, opts: Mapping[str, Any]) -> _MinionData:
    """Return (minion, grains, pillar) from the master's data, or (minion, None, None) if there is none."""
    services = api.services()
    if minion is None or not hasattr(services, "minion_data"):
        return minion, None, None
    known = services.of(MasterServices).minion_data.get(minion)
    return (minion, *known) if known else (minion, None, None)


def parse_target(target_expression: str) -> dict[str, str | None]:
    """Return {"engine", "delimiter", "pattern"} of one term of a compound target such as `G@os:Debian`.

    For a term without a target type, `engine` and `delimiter` are None.
    """
    found = _WORD.match(target_expression)
    return (
        dict(found.groupdict())
        if found
        else {"engine": None, "delimiter": None, "pattern": target_expression}
    )


__all__ = ["CkMinions", "get_minion_data", "parse_target"]
