"""Stock's `salt.minion`: the functions of this machine for programs, and tags of the minion's events.

The classes of stock's daemons are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.compat.loader.standalone import StandaloneTable
from salt_g.compat.refusal import refuse
from salt_g.compat.utils.net.network import parse_host_port
from salt_g.loader.arguments import fit
from salt_g.local_call import local_context

_ADVICE = "call functions with `__salt__` or `salt.client.Caller`"
Minion = refuse("salt.minion.Minion", _ADVICE)
MinionBase = refuse("salt.minion.MinionBase", _ADVICE)
ProxyMinion = refuse("salt.minion.ProxyMinion", "devices are resources here")
resolve_dns = refuse(
    "salt.minion.resolve_dns", "the minion connects to its master; read `__opts__['master']`"
)
#: {type of an event about the master: tag}
_MASTER_EVENTS = {
    "connected": "__master_connected",
    "disconnected": "__master_disconnected",
    "failback": "__master_failback",
    "alive": "__master_alive",
}


class SMinion:
    """Functions of this machine with local files and pillar: `SMinion(opts).functions["test.ping"]()`.

    `opts` are a minion's settings; the attribute `opts` also has grains and pillar. No master is contacted.
    """

    def __init__(self, opts: Mapping[str, Any], context: Any = None) -> None:
        self._context = self._made_context(opts)
        self.opts: dict[str, Any] = dict(self._context.opts)
        with api.use(self._context):
            self.opts["grains"] = dict(self._context.grains)
            self.opts["pillar"] = dict(self._context.pillar)
        self.functions = StandaloneTable(self._context, "modules")
        self.returners = StandaloneTable(self._context, "returners")
        self.states = StandaloneTable(self._context, "states")
        self.executors = StandaloneTable(self._context, "executors")
        self.utils = StandaloneTable(self._context, "utils")

    def run(self, fun: str, args: list[Any], kwargs: Mapping[str, Any], jid: str) -> tuple[Any, int]:
        """Call a function as a job; return its value and the exit code of its command or states."""
        job = {"jid": jid, "fun": fun, "tgt": self.opts.get("id", "")}
        context = self._context.replace(scratch={}, job={**job, "arg": args})
        with api.use(context):
            function = context.table("modules")[fun]
            given, named = fit(function, args, kwargs, published=job)
            value = function(*given, **named)
        return value, int(context.scratch.get("retcode") or 0)

    def gen_modules(self, initial_load: bool = False, context: Any = None) -> None:
        """Do nothing, because functions are looked up when they are called."""

    def destroy(self) -> None:
        """Do nothing, because there is no connection to close."""

    def _made_context(self, opts: Mapping[str, Any]) -> CallContext:
        return local_context(dict(opts))


class MasterMinion(SMinion):
    """Functions of the master's machine, with an empty pillar."""

    def __init__(self, opts: Mapping[str, Any], *args: Any, **stock: Any) -> None:
        super().__init__(opts)

    def _made_context(self, opts: Mapping[str, Any]) -> CallContext:
        return local_context(dict(opts)).replace(pillar={})


def master_event(type: str, master: str | None = None) -> str:
    """Return the tag of an event about the connection to a master."""
    tag = _MASTER_EVENTS[type]
    return f"{tag}_{master}" if type == "alive" and master else tag


def prep_ip_port(opts: Mapping[str, Any]) -> dict[str, Any]:
    """Return {master} or {master, master_port} from the setting `master`, which is `HOST` or `HOST:PORT`."""
    text = str(opts["master"])
    if opts.get("master_uri_format") == "ip_only":
        return {"master": text.strip("[]")}
    host, port = parse_host_port(text)
    return {"master": host, **({"master_port": port} if port else {})}


__all__ = ["MasterMinion", "Minion", "MinionBase", "ProxyMinion", "SMinion", "master_event", "prep_ip_port"]
__all__ += ["resolve_dns"]
