"""Stock's `salt.utils.roster_matcher`: selection of hosts, for users' rosters."""

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.errors import TargetError
from salt_g.rosters._selection import Hosts, completed, selected

log = logging.getLogger(__name__)


def targets(conditioned_raw: Mapping[Any, Any], tgt: Any, tgt_type: str, ipv: str = "ipv4") -> Hosts:
    """Return the hosts that a target selects, completed from `roster_defaults`; a text entry is an address.

    Entries without a value are omitted; an unknown type of target selects no host.
    """
    given = {id: entry for id, entry in conditioned_raw.items() if entry is not None}
    words = ",".join(map(str, tgt)) if isinstance(tgt, (list, tuple, set)) else tgt
    try:
        return selected(completed(given), words, tgt_type)
    except TargetError as exc:
        log.error("no host in the roster matches: %s", exc)
        return {}


__all__ = ["targets"]
