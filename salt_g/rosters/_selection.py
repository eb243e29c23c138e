"""Selection of hosts from a roster by a target.

A roster has ids and addresses only; `salt-g ssh` matches targets that need the grains of a host, which it can
gather.
Shapes: hosts are {id: settings}; nodegroups come from the settings; `ssh_list_nodegroups` has precedence.
Errors: TargetError for a malformed target, or a nodegroup that does not exist.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import opts
from salt_g.match.explain import check_target
from salt_g.match.matchers import MinionView, parse_target

#: {id: settings of the host}
Hosts = dict[str, dict[str, Any]]


def selected(hosts: Mapping[str, Mapping[str, Any]], tgt: Any, tgt_type: str) -> Hosts:
    """Return the hosts that a target selects, in the order of the roster."""
    groups = nodegroups(opts)
    # Report a malformed target here, because matchers would only log it and select nothing.
    check_target(tgt, tgt_type, nodegroups=groups)
    part = parse_target(tgt, tgt_type, nodegroups=groups, delimiter=":")
    server = str(opts.get("range_server") or "")
    return {
        id: dict(settings)
        for id, settings in hosts.items()
        if part.matches(MinionView(id, _addresses(settings), nodegroups=groups, range_server=server), False)
    }


def nodegroups(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the nodegroups of the settings; those of `ssh_list_nodegroups` take precedence."""
    found: dict[str, Any] = {}
    for groups in (settings.get("nodegroups"), settings.get("ssh_list_nodegroups")):
        if isinstance(groups, Mapping):
            found.update({str(group): _words(members) for group, members in groups.items()})
    return found


def completed(entries: Mapping[Any, Any]) -> Hosts:
    """Return the entries of a roster merged over `roster_defaults`; an entry that is text is an address."""
    defaults = opts.get("roster_defaults")
    below = dict(defaults) if isinstance(defaults, Mapping) else {}
    found: Hosts = {}
    for id, entry in entries.items():
        own = dict(entry) if isinstance(entry, Mapping) else {} if entry is None else {"host": str(entry)}
        found[str(id)] = {**below, **own}
    return found


def _words(members: Any) -> Any:
    """Return the members of a nodegroup; comma-separated text that is not an expression becomes a list."""
    if isinstance(members, str) and "," in members and "@" not in members:
        return [word.strip() for word in members.split(",") if word.strip()]
    return members


def _addresses(settings: Mapping[str, Any]) -> Mapping[str, Iterable[str]]:
    """Return the address of a host as the grain `ipv4` or `ipv6`, for targets by network."""
    try:
        address = ipaddress.ip_address(str(settings.get("host", "")))
    except ValueError:
        return {}
    return {f"ipv{address.version}": [str(address)]}
