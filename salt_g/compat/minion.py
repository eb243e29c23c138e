"""Stock's `salt.minion`: daemons, which differ here, and names that their events have."""

from collections.abc import Mapping
from typing import Any

from salt_g.compat.refusal import refuse
from salt_g.compat.utils.net.network import parse_host_port

_ADVICE = "call functions with `__salt__` or `salt.client.Caller`"
MasterMinion = refuse("salt.minion.MasterMinion", _ADVICE)
Minion = refuse("salt.minion.Minion", _ADVICE)
MinionBase = refuse("salt.minion.MinionBase", _ADVICE)
ProxyMinion = refuse("salt.minion.ProxyMinion", "devices are resources here")
SMinion = refuse("salt.minion.SMinion", _ADVICE)
resolve_dns = refuse(
    "salt.minion.resolve_dns", "the minion connects to its master; read `__opts__['master']`"
)
#: {type: tag}; those with a place for the master's name are one for each master.
_MASTER_EVENTS = {
    "connected": "__master_connected",
    "disconnected": "__master_disconnected",
    "failback": "__master_failback",
    "alive": "__master_alive",
}


def master_event(type: str, master: str | None = None) -> str:
    """Return the tag of an event about a connection to a master."""
    tag = _MASTER_EVENTS[type]
    return f"{tag}_{master}" if type == "alive" and master else tag


def prep_ip_port(opts: Mapping[str, Any]) -> dict[str, Any]:
    """Return {master} or {master, master_port} of the setting `master`, `HOST` or `HOST:PORT`."""
    text = str(opts["master"])
    if opts.get("master_uri_format") == "ip_only":
        return {"master": text.strip("[]")}
    host, port = parse_host_port(text)
    return {"master": host, **({"master_port": port} if port else {})}


__all__ = ["MasterMinion", "Minion", "MinionBase", "ProxyMinion", "SMinion", "master_event", "prep_ip_port"]
__all__ += ["resolve_dns"]
