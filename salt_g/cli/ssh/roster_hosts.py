"""Hosts of the roster that the target of a command selects, with their settings and contexts.

The roster evaluates targets by id and address. Targets by grains or pillar are evaluated here: the grains of
all hosts in the roster are gathered first. A host that does not answer is logged and not selected.
Errors: RosterError, TargetError.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g import api
from salt_g.api import CallContext
from salt_g.cli.ssh.host_contexts import HostContexts
from salt_g.cli.ssh.host_settings import host_settings, minion_opts
from salt_g.cli.ssh.own_key import own_key
from salt_g.errors import RosterError, SaltGError
from salt_g.formats.yaml_dump import dump
from salt_g.loader import FunctionTable
from salt_g.local_call import local_context
from salt_g.match.explain import check_target
from salt_g.match.matchers import MinionView, parse_target
from salt_g.match.nodegroups import expand_nodegroup
from salt_g.process.supervisor import Supervisor
from salt_g.resource_model.srn import check_id
from salt_g.rosters._files import roster_path
from salt_g.rosters._selection import Hosts, completed, nodegroups
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Target types that need grains or pillar of the hosts.
_BY_GRAINS = frozenset(("grain", "grain_pcre", "pillar", "pillar_exact", "pillar_pcre"))
#: Terms of compound expressions that need grains or pillar of hosts.
_GRAIN_WORDS = re.compile(r"(?:^|[\s(])[GPIJ]@")
#: A host that is not in the roster: `user@host:port`.
_ADDRESS = re.compile(
    r"(?:(?P<user>[\w.-]+)@)?(?P<host>[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:]+\])(?::(?P<port>\d+))?"
)
#: Maximum number of hosts whose grains are gathered concurrently.
_AT_ONCE = 25
#: Settings of a host that `--update-roster` writes, without the password.
_KEPT = ("host", "user", "port")
#: Rosters that consist of one file.
_WITH_FILE = frozenset(("flat", "ansible"))


class Targeted(NamedTuple):
    """Hosts selected by a target, and their contexts; with `is_new` the hosts are not in the roster."""

    hosts: Hosts
    contexts: HostContexts
    is_new: bool = False


class RosterHosts:
    """Hosts in the roster that the settings name."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts
        self._name = str(opts.get("roster") or "flat")
        self._context = _with_minions(opts) if self._name == "cache" else local_context(opts)

    def listed(self, tgt: Any, tgt_type: str) -> dict[str, dict[str, Any]]:
        """Return {roster file: {id: address}} of the hosts that a target selects."""
        found = self._targets(tgt, tgt_type)
        path = roster_path(self._opts) if self._name in _WITH_FILE else self._name
        return {path: {id: settings.get("host", id) for id, settings in found.items()}}

    def targeted(self, tgt: Any, tgt_type: str, delimiter: str, *, takes_addresses: bool = True) -> Targeted:
        """Return the hosts that a target selects; `takes_addresses` allows a new host's address."""
        if not self._needs_grains(tgt, tgt_type):
            hosts = self._targets(tgt, tgt_type)
            is_direct = takes_addresses and not hosts
            direct = self._named_directly(tgt, tgt_type) if is_direct else {}
            return Targeted(hosts or direct, self._contexts(hosts or direct), bool(direct))
        groups = nodegroups(self._opts)
        check_target(tgt, tgt_type, delimiter=delimiter, nodegroups=groups)
        part = parse_target(tgt, tgt_type, nodegroups=groups, delimiter=delimiter)
        every = self._targets("*", "glob")
        contexts = self._contexts(every)
        _gather(contexts, list(every))

        def is_selected(id: str) -> bool:
            try:
                minion = MinionView(id, contexts.grains(id), _LazyPillar(contexts, id), groups)
                return part.matches(minion, False)
            except SaltGError as exc:
                log.error("%s: not selected, because its grains or pillar cannot be read: %s", id, exc)
                return False

        return Targeted({id: own for id, own in every.items() if is_selected(id)}, contexts)

    def remember(self, hosts: Hosts) -> None:
        """Append hosts to the roster file; raise RosterError if that fails."""
        path = roster_path(self._opts)
        kept = {id: {name: own[name] for name in _KEPT if name in own} for id, own in hosts.items()}
        try:
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"# added by salt-g ssh --update-roster\n{dump(kept)}")
        except OSError as exc:
            raise RosterError(f"the roster {path} cannot be written: {exc.strerror}") from exc

    def _targets(self, tgt: Any, tgt_type: str) -> Hosts:
        with api.use(self._context) as context:
            table: FunctionTable = context.table("roster")  # type: ignore[assignment]
            function = table.get(f"{self._name}.targets")
            if function is None:
                raise RosterError(_why_missing(table, self._name))
            return self._entries(function, tgt, tgt_type)

    def _entries(self, function: Callable[..., Any], tgt: Any, tgt_type: str) -> Hosts:
        """Return the entries from a roster plugin's function; raise RosterError if it fails."""
        try:
            found = function(tgt, tgt_type) or {}
        except SaltGError:
            raise
        # A roster written by a user may raise anything, including SystemExit.
        except (Exception, SystemExit) as exc:
            log.debug("roster %s raised", self._name, exc_info=True)
            raise RosterError(f"the roster {self._name!r} failed: {type(exc).__name__}: {exc}") from exc
        entries = found.values() if isinstance(found, Mapping) else [found]
        wrong = [entry for entry in entries if not isinstance(entry, Mapping)]
        if wrong:
            shown = f"{str(wrong[0])[:80]!r}"
            raise RosterError(f"the roster {self._name!r} must return {{id: settings}}, but returned {shown}")
        return {str(id): dict(settings) for id, settings in found.items() if _is_usable(id)}

    def _needs_grains(self, tgt: Any, tgt_type: str) -> bool:
        if tgt_type in _BY_GRAINS:
            return self._name != "cache"
        if tgt_type == "nodegroup":
            groups = nodegroups(self._opts)
            words = expand_nodegroup(str(tgt), groups) if tgt in groups else []
            return _GRAIN_WORDS.search(" ".join(words)) is not None
        return tgt_type == "compound" and _GRAIN_WORDS.search(str(tgt)) is not None

    def _named_directly(self, tgt: Any, tgt_type: str) -> Hosts:
        """Return {id: settings} of the host whose address is the target, or {} if it cannot be resolved."""
        found = _ADDRESS.fullmatch(tgt) if tgt_type == "glob" and isinstance(tgt, str) else None
        if found is None:
            return {}
        named = {name: value for name, value in found.groupdict().items() if value}
        try:
            socket.getaddrinfo(named["host"].strip("[]"), None)
        except OSError:
            return {}
        with api.use(self._context):
            return completed({named["host"]: named})

    def _contexts(self, hosts: Hosts) -> HostContexts:
        lacking = any(not entry.get("priv") for entry in hosts.values())
        key = own_key(self._opts) if lacking else ""
        settings = {id: host_settings(id, entry, self._opts, key=key) for id, entry in hosts.items()}
        own = {id: found for id, entry in hosts.items() if (found := minion_opts(entry))}
        return HostContexts(self._opts, settings, own)


def _with_minions(opts: Opts) -> CallContext:
    """Return the context for a roster that reads the master's data about minions."""
    from salt_g.cli.ssh.master_data import MasterData  # Imported lazily: few commands read the store.

    return MasterData(opts).context()


def _why_missing(table: FunctionTable, name: str) -> str:
    plugin = table.plugin(name)
    if plugin is not None and plugin.reason:
        return f"the roster {name!r} cannot be used: {plugin.reason}"
    known = sorted(one.partition(".")[0] for one in table if one.endswith(".targets"))
    return f"there is no roster {name!r}; known rosters: {', '.join(known)}"


class _LazyPillar(Mapping[str, Any]):
    """Pillar of a host, compiled when a matcher first reads it."""

    def __init__(self, contexts: HostContexts, id: str) -> None:
        self._contexts = contexts
        self._id = id
        self._found: Mapping[str, Any] | None = None

    def _pillar(self) -> Mapping[str, Any]:
        if self._found is None:
            self._found = self._contexts.pillar(self._id)
        return self._found

    def __getitem__(self, key: str) -> Any:
        return self._pillar()[key]

    def __iter__(self) -> Any:
        return iter(self._pillar())

    def __len__(self) -> int:
        return len(self._pillar())


def _gather(contexts: HostContexts, ids: list[str]) -> None:
    """Gather the grains of hosts concurrently; failures are raised later, when the grains are read."""
    family = Supervisor("grains of hosts", limit=_AT_ONCE)

    def gather(id: str) -> None:
        try:
            contexts.grains(id)
        except SaltGError as exc:
            log.debug("%s: %s", id, exc)

    for id in ids:
        family.spawn(gather, id, name=id)
    family.wait()


def _is_usable(id: Any) -> bool:
    try:
        check_id(str(id))
    except SaltGError as exc:
        log.error("the roster has a host that cannot be used: %s", exc)
        return False
    return True
