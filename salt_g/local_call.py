"""Context of calls without a master: settings, lazy grains, lazy pillar, services.

Used by masterless minions and by masters that run states themselves (runners, orchestration). Everything is
built on first use, so a function that needs neither grains nor pillar does not pay for them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.api import CallContext, Deferred
from salt_g.data.nested import merge_recursive
from salt_g.errors import NoSuchFunction, SaltGError
from salt_g.loader import Loader
from salt_g.services.plugins import Services
from salt_g.shapes import Grains, Opts, TopFile

if TYPE_CHECKING:
    from salt_g.pillar.compiler import PillarCompiler, SelectedEnvironments
    from salt_g.services.daemons import Calls
    from salt_g.services.protocols import FileAccess, Matching, Rendering, StateEngine

log = logging.getLogger(__name__)


def local_context(settings: Opts) -> CallContext:
    """Return the call context with the files and pillar of this machine."""
    opts = {**settings, "file_client": "local"}
    loader = Loader(opts)
    context: CallContext

    def gather_grains() -> Mapping[str, Any]:
        return gathered_grains(opts, loader)

    services = Services(
        plugins=lambda: loader,
        files=lambda: _files(opts),
        render=lambda: rendering(opts, context.services.files),
        pillars=lambda: pillar_compiler(opts, api.grains),
        states=lambda: state_engine(context.services, gather_grains),
        match=matching,
    )
    context = CallContext(
        opts=opts,
        grains=deferred_grains(opts, loader),
        pillar=Deferred(lambda: compiled_pillar(context)),
        services=services,
    )
    return context


def deferred_grains(opts: Opts, loader: Loader) -> Deferred:
    """Return the grains of this machine, gathered on first use."""

    def lacks(name: str) -> bool:
        from salt_g.loader.grains import lacks_grain

        return lacks_grain(name, opts, users_modules=loader.has_users_plugins("grains"))

    return Deferred(lambda: gathered_grains(opts, loader), lacks=lacks)


def gathered_grains(opts: Opts, loader: Loader) -> Mapping[str, Any]:
    """Return the grains of this machine, gathered now."""
    from salt_g.loader.grains import gather

    return gather(opts, loader.table("grains"))


def compiled_pillar(context: CallContext) -> Mapping[str, Any]:
    """Return pillar for the environments in the settings, compiled now."""
    opts = context.opts
    return context.services.pillars.compile(
        saltenv=opts.get("saltenv"), pillarenv=opts.get("pillarenv"), earlier={}
    )


def rendering(opts: Opts, files: FileAccess) -> Rendering:
    """Return the rendering service for SLS and templates in `files`."""
    from salt_g.render.service import RenderService

    return RenderService(opts, files)


def state_engine(
    services: Services, gather_grains: Callable[[], Grains], kind: Callable[..., StateEngine] | None = None
) -> StateEngine:
    """Return a state engine that uses these services; `kind` is its class, by default `StateEngine`."""
    from salt_g.state.engine import StateEngine

    def access(run_opts: Opts) -> tuple[FileAccess, Rendering]:
        files = _files(run_opts)
        return files, rendering(run_opts, files)

    def tops() -> TopFile:
        context = api.current()
        if not context.opts.get("master_tops"):
            return {}
        grains = dict(context.grains)
        return top_data(context, {**context.opts, "grains": grains}, grains)

    return (kind or StateEngine)(services, gather_grains=gather_grains, access=access, tops=tops)


def top_data(context: CallContext, opts: Opts, grains: Grains) -> TopFile:
    """Return {saltenv: [sls, ...]} of all sources in `master_tops`, for a minion with `opts` and `grains`."""
    found: TopFile = {}
    with api.use(context.replace(grains=grains)):
        for name in context.opts["master_tops"]:
            try:
                data = context.table("tops")[f"{name}.top"](opts=opts, grains=grains)
            except NoSuchFunction:
                log.error(
                    "there is no source of top data %r; known: ext_nodes, reclass, saltclass and plugins",
                    name,
                )
                continue
            except SaltGError as exc:
                log.error("cannot get top data from %s for %s: %s", name, opts["id"], exc)
                continue
            except (Exception, SystemExit):  # A plugin can raise anything.
                log.exception("the source of top data %s failed for %s", name, opts["id"])
                continue
            if isinstance(data, Mapping):
                found = merge_recursive(found, data, merge_lists=True)
    return found


def matching() -> Matching:
    """Return the matching service for the minion of the running call."""
    from salt_g.match.service import Matches

    return Matches()


def _files(opts: Opts) -> FileAccess:
    from salt_g.files.client import LocalFileClient

    return LocalFileClient(opts)


def pillar_compiler(
    opts: Opts,
    grains: Grains,
    *,
    extra_minion_data: Mapping[str, Any] | None = None,
    chosen: SelectedEnvironments | None = None,
    marks_secrets: bool = False,
) -> PillarCompiler:
    """Return the pillar compiler; `grains` are only read when a top file has to be matched.

    `extra_minion_data` is for external pillars; `chosen` is the resource to compile for, with its top file
    targets; `marks_secrets` adds the marks of secret values.
    """
    from salt_g.files.client import PillarClient
    from salt_g.pillar.compiler import PillarCompiler

    def access(pillar_opts: Opts) -> tuple[FileAccess, Rendering]:
        files = PillarClient(pillar_opts)
        return files, rendering(pillar_opts, files)

    return PillarCompiler(
        opts,
        grains,
        access,
        extra_minion_data=extra_minion_data,
        chosen=chosen,
        marks_secrets=marks_secrets,
    )


@contextmanager
def pillar_call(
    settings: Opts,
    grains: Grains,
    plugins: Loader,
    *,
    extra_minion_data: Mapping[str, Any] | None = None,
    chosen: SelectedEnvironments | None = None,
    marks_secrets: bool = False,
    calls: Calls | None = None,
) -> Iterator[PillarCompiler]:
    """Yield the compiler of the pillar of a minion or resource, within a local call.

    On a master, external pillars run runners through `calls`.
    """
    opts = {**settings, "file_client": "local"}
    if chosen is not None:
        # External pillars apply only to minions; running a program per resource would be too expensive.
        opts["ext_pillar"] = []
    context = local_context(opts)
    compiler = pillar_compiler(
        opts, grains, extra_minion_data=extra_minion_data, chosen=chosen, marks_secrets=marks_secrets
    )
    services = context.services.replace(pillars=lambda: compiler, plugins=lambda: plugins)
    if calls is not None:
        from salt_g.services.daemons import MasterServices  # Imported lazily: only masters have them.

        services = services.extended(MasterServices, calls=lambda: calls)
    with api.use(context.replace(grains=grains, pillar={}, services=services)):
        yield compiler
