"""Roster of the master's minions, with addresses, users and keys from cached grains, pillar and mine.

Settings: `roster_order` lists the sources of each setting of a host; `roster_defaults` has other settings::

    roster_order:
      host: [ipv4-private, 2001:db8::/32, {grain: fqdn}, id]
      user: {pillar: 'ssh:user'}
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from salt_g.api import opts, services
from salt_g.data.nested import traverse
from salt_g.rosters._selection import Hosts, completed
from salt_g.services.daemons import MasterServices

#: Default order of preference for the address of a host.
_ADDRESSES = ("ipv6-private", "ipv6-global", "ipv4-private", "ipv4-public", "ipv4-local")
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
#: {word in `roster_order`: kind of minion data}
_LIBRARIES = {"grain": "grains", "grains": "grains", "pillar": "pillar", "mine": "mine"}
_SCOPES: dict[str, Callable[[Any], bool]] = {
    "local": lambda address: address.is_loopback or address.is_link_local,
    "private": lambda address: address.is_private and not (address.is_loopback or address.is_link_local),
    "public": lambda address: address.is_global,
    "global": lambda address: address.is_global,
}


class KnownMinion(NamedTuple):
    """Cached data of a minion."""

    id: str
    grains: Mapping[str, Any]
    pillar: Mapping[str, Any]
    mine: Mapping[str, Any]


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the known minions that a target selects; all target types of the master are supported.

    Example::

        salt-g ssh --roster=cache -G os:Debian test.ping
    """
    master = services(MasterServices)
    order = opts.get("roster_order")
    wanted = dict(order) if isinstance(order, Mapping) else {}
    wanted.setdefault("host", _ADDRESSES)
    found: Hosts = {}
    for id in master.targets.resolve(tgt, tgt_type, greedy=False).minions:
        known = master.minion_data.get(id)
        if known is not None:
            mine = master.banks.fetch("mine", id)
            minion = KnownMinion(id, *known, mine if isinstance(mine, Mapping) else {})
            entry = {name: value_of(minion, sources) for name, sources in wanted.items()}
            found[id] = {name: value for name, value in entry.items() if value is not None}
    return {id: entry for id, entry in completed(found).items() if entry.get("host")}


def value_of(minion: KnownMinion, sources: Any) -> Any:
    """Return the value from the first source in `roster_order` that has one, or None if none has."""
    for source in sources if isinstance(sources, (list, tuple)) else (sources,):
        value = (
            _by_reference(minion, source) if isinstance(source, Mapping) else _by_word(minion, str(source))
        )
        if value not in (None, "", [], {}):
            return value[0] if isinstance(value, (list, tuple)) else value
    return None


def _by_reference(minion: KnownMinion, source: Mapping[str, Any]) -> Any:
    for library, keys in source.items():
        data: Mapping[str, Any] = getattr(minion, _LIBRARIES.get(str(library), ""), {})
        for key in keys if isinstance(keys, (list, tuple)) else (keys,):
            value = traverse(data, str(key), None)
            if value not in (None, "", [], {}):
                return value
    return None


def _by_word(minion: KnownMinion, word: str) -> Any:
    if word == "id":
        return minion.id
    addresses = list(_addresses(minion.grains))
    try:
        network = ipaddress.ip_network(word)
    except ValueError:
        return next((str(one) for one in addresses if _is_of(one, word)), None)
    return next((str(one) for one in addresses if one.version == network.version and one in network), None)


def _is_of(address: _Address, word: str) -> bool:
    """Return whether an address is in a class: `ipv4-private`, or `private|local` for both versions."""
    version, found, scopes = word.rpartition("-")
    if found and version != f"ipv{address.version}":
        return False
    return any(scope in _SCOPES and _SCOPES[scope](address) for scope in scopes.split("|"))


def _addresses(grains: Mapping[str, Any]) -> Iterable[_Address]:
    for name in ("ipv6", "ipv4"):
        for text in grains.get(name) or ():
            try:
                yield ipaddress.ip_address(str(text))
            except ValueError:
                continue
