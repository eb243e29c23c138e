"""Checks of a registration, entry by entry: valid name, free name, permission of the minion.

Values in and values out; `registration.py` checks the current holder of an SRN.
Shapes: refusals are {srn: reason}; `resource_acl` is {glob of minions: [glob of SRNs]}.
"""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from salt_g.errors import TargetError
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model import srn as srns
from salt_g.resource_model.srn import Srn

log = logging.getLogger(__name__)

#: Entries examined between two yields to other greenlets: some 5 ms.
SLICE = 500
#: Maximum number of refusals named in one answer, event or log line.
MAX_NAMED = 200
#: Key that stands for all other refusals.
OTHERS = "*"

_OF_A_MINION = "it is the id of a minion"
_TAKEN_NAME = "it is the name of the master or of a nodegroup"
_NOT_GIVEN = "neither the minion's pillar on the master nor resource_acl assigns it to the minion"


class ClaimRules(NamedTuple):
    """Rules for the claims of one minion.

    `minions` are the ids with a key in any state, `names` other reserved names; `given` are the resources in
    the minion's pillar on the master, {type: ids}; `allowed` are globs of SRNs.
    """

    minions: Collection[str]
    names: Collection[str]
    given: Mapping[str, Collection[str]]
    allowed: tuple[str, ...]
    limit: int

    def may_have(self, srn: Srn) -> bool:
        """Return whether pillar or `resource_acl` assign the SRN to the minion."""
        if srn.id in self.given.get(srn.type, ()):
            return True
        return any(fnmatch.fnmatchcase(str(srn), pattern) for pattern in self.allowed)


class CheckedClaim(NamedTuple):
    """Result of the checks: granted and refused claims, in the order of the claims."""

    granted: list[Srn]
    refused: dict[str, str]


def check_claims(resources: Mapping[Any, Any], rules: ClaimRules) -> CheckedClaim:
    """Return the verdict for each entry of {type: [id]}, with regular yields to other greenlets."""
    granted: dict[Srn, None] = {}
    refused: dict[str, str] = {}
    number = sum(len(ids) for ids in resources.values() if isinstance(ids, (list, tuple, dict)))
    for count, (kind, id) in enumerate(islice(_entries(resources), rules.limit), 1):
        reason, srn = _reason(kind, id, rules)
        if srn is not None and not reason:
            granted[srn] = None
        else:
            _refuse(refused, _shown(kind, id) if srn is None else str(srn), reason)
        if count % SLICE == 0:
            yield_to_hub()
    if number > rules.limit:
        refused[OTHERS] = f"{number - rules.limit} more than resources_max_per_minion ({rules.limit})"
    return CheckedClaim(list(granted), refused)


def patterns_for(acl: Any, minion: str) -> tuple[str, ...]:
    """Return the globs of SRNs that the setting `resource_acl` assigns to a minion."""
    found: list[str] = []
    for pattern, allowed in acl.items() if isinstance(acl, Mapping) else ():
        if fnmatch.fnmatchcase(minion, str(pattern)):
            found += [allowed] if isinstance(allowed, str) else [str(one) for one in allowed or ()]
    return tuple(found)


def _entries(resources: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    for kind, ids in resources.items():
        for id in ids if isinstance(ids, (list, tuple, dict)) else ():
            yield kind, id


def _reason(kind: Any, id: Any, rules: ClaimRules) -> tuple[str, Srn | None]:
    """Return (the reason for a refusal or '', the SRN of a valid entry)."""
    try:
        srn = Srn(srns.check_type(kind), srns.check_id(id))
    except TargetError as exc:
        return str(exc), None
    if srn.id in rules.minions:
        return _OF_A_MINION, srn
    if srn.id in rules.names:
        return _TAKEN_NAME, srn
    return ("" if rules.may_have(srn) else _NOT_GIVEN), srn


def _refuse(refused: dict[str, str], name: str, reason: str) -> None:
    if len(refused) < MAX_NAMED:
        refused[name] = reason
    else:
        refused[OTHERS] = "and more; the log of the master says how many"


def _shown(kind: Any, id: Any) -> str:
    """Return a short text for an invalid entry, which may be anything of any length."""
    return ascii(f"{kind}:{id}"[: srns.MAX_ID])[1:-1]
