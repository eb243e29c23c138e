"""Criteria for one minion: its id, a grain, a pillar value, an address, ....

`compound.py` combines them, `matchers.py` is the entry point.
Errors: a malformed target matches nothing and is logged, so that it cannot harm a fleet; TargetError only if
the query to a range server fails.
Source: stock docs "Targeting Minions"; conformance cases `top/matchers`, `modules/match`.
"""

from __future__ import annotations

import fnmatch
import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.data.nested import DELIMITER
from salt_g.errors import TargetError
from salt_g.match import nested
from salt_g.match.minion_view import MinionView

log = logging.getLogger(__name__)


def match_single(tgt: Any, tgt_type: str, minion: MinionView, *, delimiter: str = DELIMITER) -> bool:
    """Return whether `minion` matches; raise KeyError for a type that is not in this file."""
    if minion.exact_pillar and tgt_type in ("pillar", "pillar_pcre"):
        tgt_type = "pillar_exact"
    if minion.is_unknown and tgt_type in _OF_DATA:
        return True
    if tgt_type in _WITH_DELIMITER:
        return _WITH_DELIMITER[tgt_type](tgt, minion, delimiter)
    return _WITHOUT_DELIMITER[tgt_type](tgt, minion)


def match_glob(tgt: Any, minion: MinionView) -> bool:
    """Return whether the id matches a glob."""
    return isinstance(tgt, str) and fnmatch.fnmatchcase(minion.id, tgt)


def match_pcre(tgt: Any, minion: MinionView) -> bool:
    """Return whether the id matches a regular expression at its start; log an invalid expression."""
    from salt_g.regex.bounded import matches_start  # Imported lazily: most targets are globs.

    try:
        return matches_start(str(tgt), minion.id)
    except TargetError as exc:
        log.error("%s", exc)
        return False


def match_list(tgt: Any, minion: MinionView) -> bool:
    """Return whether the id is in a list or a comma-separated text."""
    if isinstance(tgt, str):
        return minion.id in tgt.split(",") or minion.id == tgt
    return isinstance(tgt, (list, tuple, set, frozenset, Mapping)) and minion.id in tgt


def match_ipcidr(tgt: Any, minion: MinionView) -> bool:
    """Return whether the minion has an address, or an address in a network; log an invalid target."""
    import ipaddress  # Imported lazily: takes 5 ms, and only this matcher needs it.

    try:
        network = ipaddress.ip_network(tgt)
    except (ValueError, TypeError):
        log.error("invalid IP address or CIDR target %r", tgt)
        return False
    return any(_is_in(address, network) for address in addresses_of(minion, network.version))


def addresses_of(minion: MinionView, version: int) -> list[Any]:
    """Return the addresses in a minion's grains, as reported by the minion."""
    addresses = minion.grains.get(f"ipv{version}") or []
    return list(addresses) if isinstance(addresses, (list, tuple)) else [addresses]


def _is_in(address: Any, network: Any) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(address) in network
    except ValueError:
        return False


def match_data(tgt: Any, minion: MinionView) -> bool:
    """Return whether a value in the minion's data store matches `key:pattern`."""
    key, found, pattern = str(tgt).partition(":")
    value = minion.data(key) if found else None
    pattern = pattern.split(":")[0]
    if isinstance(value, list):
        return any(nested.accepts_glob(member, pattern) for member in value)
    if isinstance(value, Mapping):
        return pattern in value
    return value is not None and fnmatch.fnmatchcase(str(value), pattern)


def match_range(tgt: Any, minion: MinionView) -> bool:
    """Return whether the range server lists the minion's `fqdn`; raise TargetError if the query fails."""
    from salt_g.net.range_server import expand  # Imported lazily: few have such a server.

    try:
        return minion.grains.get("fqdn") in expand(minion.range_server, str(tgt))
    except (OSError, ValueError) as exc:
        raise TargetError(f"range target {tgt!r}: {exc}") from exc


def match_resource(tgt: Any, minion: MinionView) -> bool:
    """Return False: criteria about resources match no minion, not even the one that manages them."""
    return False


def _nested(part: str, accepts: nested.Accepts) -> Callable[[Any, MinionView, str], bool]:
    """Return the matcher for grains or pillar (`part`) with the given comparison."""

    def match(tgt: Any, minion: MinionView, delimiter: str) -> bool:
        if delimiter not in str(tgt):
            log.error("%s target %r has no %r between key and value", part, tgt, delimiter)
            return False
        data = getattr(minion, part)
        return nested.matches_nested(data, str(tgt), accepts, delimiter=delimiter)

    return match


_WITHOUT_DELIMITER: dict[str, Callable[[Any, MinionView], bool]] = {
    "data": match_data,
    "glob": match_glob,
    "ipcidr": match_ipcidr,
    "list": match_list,
    "managing_minion": match_glob,
    "pcre": match_pcre,
    "range": match_range,
    "resource": match_resource,
}

_WITH_DELIMITER = {
    "grain": _nested("grains", nested.accepts_glob),
    "grain_pcre": _nested("grains", nested.accepts_pcre),
    "pillar": _nested("pillar", nested.accepts_glob),
    "pillar_exact": _nested("pillar", nested.accepts_exact),
    "pillar_pcre": _nested("pillar", nested.accepts_pcre),
}

#: Target types that need more than the id of a minion.
_OF_DATA = frozenset((*_WITH_DELIMITER, "data", "ipcidr"))
#: Target types implemented in this file.
TYPES = frozenset((*_WITH_DELIMITER, *_WITHOUT_DELIMITER))
