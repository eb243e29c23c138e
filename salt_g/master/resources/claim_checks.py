"""What a registration claims, entry by entry: is it named well, is its name free, may this minion have it.

Why its own file: the decision, values in and values out; who holds an SRN at present is not its
business (`registration.py`).
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

#: Entries that are looked at before others have their turn: some 5 ms.
SLICE = 500
#: Most refusals that one answer, event or log line names.
MAX_NAMED = 200
#: The entry among refusals that stands for all others.
OTHERS = "*"

_OF_A_MINION = "it is the id of a minion"
_TAKEN_NAME = "it is the name of the master or of a nodegroup"
_NOT_GIVEN = "neither the pillar that the master has for this minion nor resource_acl gives it to it"


class ClaimRules(NamedTuple):
    """What claims of one minion are judged by.

    `minions` are the ids with a key in any state, `names` others that are taken; `given` is what the
    master's pillar has for the minion, {type: ids}; `allowed` are globs of SRNs.
    """

    minions: Collection[str]
    names: Collection[str]
    given: Mapping[str, Collection[str]]
    allowed: tuple[str, ...]
    limit: int

    def may_have(self, srn: Srn) -> bool:
        """Return whether pillar or `resource_acl` give the minion this SRN."""
        if srn.id in self.given.get(srn.type, ()):
            return True
        return any(fnmatch.fnmatchcase(str(srn), pattern) for pattern in self.allowed)


class CheckedClaim(NamedTuple):
    """What may be had of what was claimed, in the order of the claims."""

    granted: list[Srn]
    refused: dict[str, str]


def judge(resources: Mapping[Any, Any], rules: ClaimRules) -> CheckedClaim:
    """Return which entries of {type: [id]} a minion may have; others have their turn meanwhile."""
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
    """Return the globs of SRNs that the setting `resource_acl` gives a minion."""
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
    """Return (why an entry is refused or '', its SRN when it is one)."""
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
    """Return an entry that is no SRN for a message: it may hold anything, and be of any length."""
    return ascii(f"{kind}:{id}"[: srns.MAX_ID])[1:-1]
