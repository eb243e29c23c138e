"""Call context of a minion with a master: settings, grains, pillar, services.

Contexts without a master are built in `salt_g/local_call.py`. Every part is created on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.api import CallContext, Deferred
from salt_g.config import Settings
from salt_g.loader import Loader
from salt_g.local_call import compiled_pillar, deferred_grains, gathered_grains, matching, rendering
from salt_g.services.plugins import Services
from salt_g.shapes import Grains, Opts, OptsDraft, Pillar

if TYPE_CHECKING:
    # Imported for type checkers only: a call without a master needs none of these modules.
    from salt_g.services.daemons import Asking
    from salt_g.services.protocols import FileAccess, PillarCompiler, Rendering, StateEngine

#: Settings that a master provides for its minions' state runs.
MASTER_OPTS = (
    "default_top",
    "env_order",
    "failhard",
    "jinja_env",
    "jinja_lstrip_blocks",
    "jinja_sls_env",
    "jinja_trim_blocks",
    "nodegroups",
    "renderer",
    "state_aggregate",
    "state_auto_order",
    "state_events",
    "state_top",
    "state_top_saltenv",
    "top_file_merging_strategy",
)


#: Prefixes of functions that read SLS or top files.
READERS_OF_SLS = ("state.", "saltutil.sync_")


def is_masterless(settings: Settings) -> bool:
    """Return whether calls use the files and pillar of this machine and not those of a master.

    This is the case if `file_client` is `local`, or if no master is configured.
    """
    return settings.opts["file_client"] == "local" or settings.origins.get("master", "default") == "default"


def remote_context(
    opts: Opts,
    channel: Asking,
    *,
    loader: Loader | None = None,
    grains: Grains | Deferred | None = None,
    pillar: Pillar | Deferred | None = None,
    **services: Callable[[], Any],
) -> CallContext:
    """Return the context of a call on a minion with a master.

    A daemon can pass data that it keeps between jobs (loader, grains, pillar); `services` are factories of
    further services (`events`, `jobs`).
    """
    from salt_g.services.daemons import MinionServices  # Imported lazily: local calls need no master.

    loader = loader or Loader(opts)
    context: CallContext

    def gather_grains() -> Mapping[str, Any]:
        return gathered_grains(opts, loader)

    offered = MinionServices(
        plugins=lambda: loader,
        files=lambda: _files(channel, opts),
        render=lambda: rendering(opts, context.services.files),
        pillars=lambda: _pillars(channel, opts),
        states=lambda: _states(context.services, channel, gather_grains),
        match=matching,
        master=lambda: channel,
        **{**own_master_services(opts), **services},
    )
    context = CallContext(
        opts=opts,
        grains=deferred_grains(opts, loader) if grains is None else grains,
        pillar=Deferred(lambda: compiled_pillar(context)) if pillar is None else pillar,
        services=offered,
    )
    return context


def opts_for(opts: Opts, channel: Asking, fun: str) -> OptsDraft:
    """Return the settings of a call of `fun`, including the master's if `fun` reads SLS or top files."""
    if not fun.startswith(READERS_OF_SLS):
        return dict(opts)
    reply = channel.ask({"cmd": "_master_opts"})
    known = reply if isinstance(reply, Mapping) else {}
    return {**opts, **{name: known[name] for name in MASTER_OPTS if name in known}}


def master_tops(channel: Asking) -> dict[str, list[str]]:
    """Return {saltenv: [sls, ...]} from the master's `master_tops` for this minion."""
    context = api.current()
    shown = {name: value for name, value in context.opts.items() if not name.startswith("__")}
    reply = channel.ask({"cmd": "_master_tops", "opts": {**shown, "grains": dict(context.grains)}})
    if not isinstance(reply, Mapping):
        return {}
    return {
        str(env): [str(name) for name in names] for env, names in reply.items() if isinstance(names, list)
    }


def own_master_services(opts: Opts) -> dict[str, Callable[[], Any]]:
    """Return factories of the services `client` and `calls`, which use a master on this machine."""

    def client() -> Any:
        from salt_g.minion import own_master

        return own_master.OwnMasterClient(opts)

    def calls() -> Any:
        from salt_g.minion import own_master

        return own_master.OwnMasterCalls(opts)

    return {"client": client, "calls": calls}


def _files(channel: Asking, opts: Opts) -> FileAccess:
    from salt_g.files.remote import RemoteClient

    return RemoteClient(channel, opts)


def _pillars(channel: Asking, opts: Opts) -> PillarCompiler:
    from salt_g.pillar.remote import RemotePillar

    return RemotePillar(channel, opts, api.grains)


def _states(services: Services, channel: Asking, gather_grains: Callable[[], Grains]) -> StateEngine:
    from salt_g.state.engine import StateEngine

    def access(run_opts: Opts) -> tuple[FileAccess, Rendering]:
        files = _files(channel, run_opts)
        return files, rendering(run_opts, files)

    def tops() -> dict[str, list[str]]:
        return master_tops(channel)

    return StateEngine(services, gather_grains=gather_grains, access=access, tops=tops)
