"""Call contexts of hosts without a minion, each with the id, grains and pillar of one host.

A host is a resource of the type `ssh`, which provides its functions and states. Files and pillar come from
the directories of the master; pillar is compiled on this machine with the grains of the host.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g import api, x509
from salt_g.api import CallContext, ContextMapping, Deferred
from salt_g.cli.ssh.host_errors import as_wrapper, named
from salt_g.cli.ssh.host_states import of_host
from salt_g.cli.ssh.runner_calls import HostRunnerCalls
from salt_g.config.registry import defaults
from salt_g.errors import CommandExecutionError
from salt_g.loader import Loader
from salt_g.local_call import compiled_pillar, local_context, matching, pillar_call, state_engine
from salt_g.minion.resources.contexts import Contexts, KnownResource
from salt_g.minion.resources.functions import GRAIN_READERS, READERS, TypeFunctions
from salt_g.minion.resources.state_needs import StateNeeds
from salt_g.minion.resources.types import ResourceType, ResourceTypes
from salt_g.resource_model.pillar_requests import no_pillars
from salt_g.resource_model.pillar_settings import DEFAULT_KEY
from salt_g.resource_model.srn import Srn
from salt_g.shapes import GrainsDict, Opts, OptsDraft, PillarDict
from salt_g.x509 import key_files

if TYPE_CHECKING:
    from salt_g.cli.ssh.host_engine import HostEngine

#: Host setting that holds the settings of this command, as in stock's salt-ssh.
MASTER_OPTS = "__master_opts__"
#: {`module.function`: function}
_Functions = Mapping[str, Callable[..., Any]]
#: Resource type of all hosts.
TYPE = "ssh"
#: Grains that only resources have; they are removed because a host here is like a minion.
_OF_RESOURCES = ("resource_type", "resource_id")
#: Modules, besides the type's own, that only compute or read the call context; `log` writes to this machine's
#: log.
_SLOTS = READERS | {"jinja", "log", "netaddress", "pillar", "salt_version", "saltcheck"}
#: Modules that read and write files through `salt_g.x509.key_files`, which accesses the host's files.
_KEY_SLOTS = frozenset(("ssh_pki", "x509"))
#: Functions that only read the call context or the master's files, in modules that the type also provides.
_READING = GRAIN_READERS | {"cp.envs", "cp.list_master_symlinks", "cp.list_states"}
#: Functions of `test` that compute, wait or fail, in addition to the type's own.
_TESTING = frozenset(
    f"test.{name}"
    for name in (
        *("arg_clean", "arg_repr", "arg_type", "assertion", "collatz", "exception", "fib", "kwarg"),
        *("outputter", "raise_exception", "rand_sleep", "rand_str", "random_hash", "retcode", "sleep"),
        *("try", "version", "versions", "versions_information", "versions_report"),
    )
)
#: Functions of this machine that act only through `cmd.run`, which runs on the host.
_BY_COMMANDS = frozenset(("disk.inodeusage", "disk.percent", "disk.usage"))
#: All functions of this machine that hosts offer in addition to the type's own.
_OF_THIS_MACHINE = _READING | _TESTING | _BY_COMMANDS
#: Functions that act beyond the host, by name: (module of this package, class, method).
_OF_MASTER = {
    "mine.get": ("host_mine", "HostMine", "get"),
    "ssh_pki.certificate_managed_wrapper": ("certificate_states", "SshPki", "managed"),
    "x509.certificate_managed_wrapper": ("certificate_states", "X509", "managed"),
    "publish.full_data": ("publications", "HostPublications", "full_data"),
    "publish.publish": ("publications", "HostPublications", "publish"),
    "publish.runner": ("publications", "HostPublications", "runner"),
}


class HostContexts:
    """Contexts of the hosts of one command; `close` closes their connections.

    `hosts` maps ids to settings of the type, `minion_opts` maps ids to further settings of single hosts.
    """

    def __init__(
        self,
        settings: Opts,
        hosts: Mapping[str, Mapping[str, Any]],
        minion_opts: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._opts = _minion_settings(settings)
        self._settings = settings
        self._calls = HostRunnerCalls(settings)
        self._own = minion_opts
        self.hosts = hosts
        below = {DEFAULT_KEY: {TYPE: {"hosts": hosts, "connections": len(hosts) + 1}}}
        self.base = local_context(self._opts).replace(pillar=below, grains={})
        loader: Loader = self.base.services.plugins  # type: ignore[assignment]
        self._loader = loader
        self._contexts = _Contexts(self.base, loader, settings, self._opts)
        self._type = self._contexts.type
        self._limit = float(self._opts["resource_timeout"])
        self._type.begin(self._contexts.of_type(self._type), below, timeout=self._limit)
        self._grains = {id: Deferred(partial(self._gathered, id)) for id in hosts}

    def close(self) -> None:
        """Close all connections."""
        self._type.end(self._contexts.of_type(self._type), timeout=self._limit)

    def connect(self, id: str) -> None:
        """Connect to a host; raise Unreachable with the reason and the remedy."""
        self.connection(id, "connect")

    def connection(self, id: str, name: str, *args: Any) -> Any:
        """Call the function `name` of the type's connection module for a host; return its value."""
        with api.use(self._contexts.of_connection(self._known(id))):
            function: Callable[..., Any] = self._type.function(name)
            return function(*args)

    def minion_opts(self, id: str) -> Mapping[str, Any]:
        """Return the host's further settings, {} if it has none."""
        return self._own.get(id, {})

    def grains(self, id: str) -> Mapping[str, Any]:
        """Return the grains of a host, which are gathered once."""
        return self._grains[id].get()

    def pillar(self, id: str) -> Mapping[str, Any]:
        """Return the pillar of a host, compiled anew."""
        with api.use(self.of(id)) as context:
            return context.pillar

    def of(self, id: str) -> CallContext:
        """Return the context of a call on a host."""
        known = self._known(id)
        inner = self._contexts.of(known)
        opts: OptsDraft = {**inner.opts, **self._own_opts(id), "id": id, MASTER_OPTS: self._settings}
        for name in ("resource_type", "resource_minion", "pillar"):
            opts.pop(name, None)
        context: CallContext
        grains = self._grains[id]
        services = inner.services.replace(
            match=matching,
            pillars=lambda: _HostPillar(
                {**self._opts, **self._own_opts(id), "id": id},
                grains,
                self._loader,
                self._calls,
            ),
            states=lambda: state_engine(context.services, grains.get, _engine_of_hosts()),
        )
        context = inner.replace(
            opts=opts, grains=grains, pillar=Deferred(lambda: compiled_pillar(context)), services=services
        )
        return context

    def _known(self, id: str) -> KnownResource:
        return KnownResource(Srn(TYPE, id), self._type, {}, self.hosts[id])

    def _own_opts(self, id: str) -> Mapping[str, Any]:
        own = self.minion_opts(id)
        return {name: value for name, value in own.items() if name != "grains"}

    def _gathered(self, id: str) -> GrainsDict:
        found = self.connection(id, "grains")
        facts = {name: value for name, value in found.items() if name not in _OF_RESOURCES}
        own = self.minion_opts(id).get("grains")
        return {**facts, **(own if isinstance(own, Mapping) else {}), "id": id}


class _Contexts(Contexts):
    """Contexts of the type `ssh`, including the functions that only read the call context."""

    def __init__(self, base: CallContext, loader: Loader, settings: Opts, opts: Opts) -> None:
        types = ResourceTypes(opts, loader)
        super().__init__(base, types, StateNeeds(), no_pillars)
        type = types.of(TYPE)
        if type is None:
            raise CommandExecutionError(f"the resource type {TYPE} cannot be used: {types.why_missing(TYPE)}")
        self.type = type
        self._settings = settings

    def functions(self, type: ResourceType) -> TypeFunctions:
        table = self._minion.table
        return _HostFunctions(type, table("modules"), self._settings, table("wrapper"))


class _HostFunctions(TypeFunctions):
    """Functions of a host: the type's, those that only read the call context, and those of this master.

    Wrappers (`_wrapper`) take precedence; they run on this machine and access the host by these functions.
    """

    def __init__(self, type: ResourceType, minion: _Functions, settings: Opts, wrappers: _Functions) -> None:
        super().__init__(type, minion)
        self._settings = settings
        self._wrappers = wrappers

    def get(self, name: str, default: Any = None) -> Any:
        wrapper = self._wrappers.get(name)
        if wrapper is not None:
            return as_wrapper(wrapper)
        if name in _OF_MASTER:
            return self._of_master(*_OF_MASTER[name])
        found = super().get(name, default)
        if found is None:
            return default
        return named(name, of_host(name, found))

    def refusal(self, name: str) -> str:
        """Return the error text for an unsupported function, or for a library missing on this machine."""
        if name.partition(".")[0] in _KEY_SLOTS and not x509.is_available():
            return x509.MISSING
        return super().refusal(name)

    def _of_master(self, module: str, kind: str, name: str) -> Callable[..., Any]:
        """Return a function that is implemented with the roster or the master of this machine."""
        # Imported lazily: few calls use them, and they import this file.
        found = getattr(importlib.import_module(f"salt_g.cli.ssh.{module}"), kind)
        function: Callable[..., Any] = getattr(found(self._settings), name)
        return function

    def _may_fall_through(self, name: str) -> bool:
        slot = name.partition(".")[0]
        is_here = slot in _SLOTS or slot in _KEY_SLOTS
        if name in _OF_THIS_MACHINE or (is_here and not self._type.modules.has_plugin(slot)):
            return True
        return super()._may_fall_through(name)


class _HostPillar:
    """Pillar compiler for one host; implements `services.plugins.PillarCompiler`.

    Templates run on this machine with the functions of a master, never on the host.
    """

    def __init__(self, opts: Opts, grains: Deferred, loader: Loader, calls: HostRunnerCalls) -> None:
        self._opts = opts
        self._grains = grains
        self._loader = loader
        self._calls = calls

    def compile(self, **given: Any) -> PillarDict:
        """Return pillar for the host; the arguments are those of `services.plugins.PillarCompiler`."""
        # Read on access, because a top file that matches only ids needs no grains of the host.
        grains = ContextMapping("grains", lambda _: self._grains.get())
        given.setdefault("earlier", {})
        # Pillar files read keys and certificates from this machine.
        call = pillar_call(self._opts, grains, self._loader, calls=self._calls)
        with key_files.use(None), call as compiler:
            return compiler.compile(**given)


def _engine_of_hosts() -> type[HostEngine]:
    from salt_g.cli.ssh.host_engine import HostEngine  # Imported lazily: few calls run states.

    return HostEngine


def _minion_settings(settings: Opts) -> OptsDraft:
    """Return the settings of hosts: the defaults of a minion, overridden by the master's settings."""
    given = settings.get("ssh_minion_opts")
    own = given if isinstance(given, Mapping) else {}
    return {**defaults("minion"), **settings, **own, "resource_pillar_key": DEFAULT_KEY, "pillar": {}}
