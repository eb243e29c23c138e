"""Put a call together: settings, lazy grains, lazy pillar, services.

Why its own file: this is the one place that knows all parts. Everything is built when first
asked for, so a function that needs neither grains nor pillar pays for neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext, Deferred
from salt_g.config import Settings
from salt_g.loader import Loader
from salt_g.services import FileAccess, Matching, PillarCompiler, Rendering, Services, StateEngine
from salt_g.shapes import Grains, Opts


def is_masterless(settings: Settings) -> bool:
    """Return whether calls use the files and pillar of this machine.

    So it is when `file_client` says so, and when nobody ever named a master here.
    """
    return settings.opts["file_client"] == "local" or settings.origins.get("master", "default") == "default"


def local_context(settings: Settings) -> CallContext:
    """Return the context of calls on this machine, without a master."""
    opts = {**settings.opts, "file_client": "local"}
    loader = Loader(opts)
    context: CallContext

    def gather_grains() -> Mapping[str, Any]:
        from salt_g.minion.grains import gather

        return {} if opts.get("skip_grains") else gather(opts, loader.table("grains"))

    def compile_pillar() -> Mapping[str, Any]:
        return context.services.pillars.compile(
            saltenv=opts.get("saltenv"), pillarenv=opts.get("pillarenv"), earlier={}
        )

    services = Services(
        plugins=lambda: loader,
        files=lambda: _files(opts),
        render=lambda: _render(opts, context.services.files),
        pillars=lambda: _pillars(opts, api.grains),
        states=lambda: _states(context.services, gather_grains),
        match=_match,
    )
    context = CallContext(
        opts=opts, grains=Deferred(gather_grains), pillar=Deferred(compile_pillar), services=services
    )
    return context


def _files(opts: Opts) -> FileAccess:
    from salt_g.files.client import LocalClient

    return LocalClient(opts)


def _render(opts: Opts, files: FileAccess) -> Rendering:
    from salt_g.render.service import RenderService

    return RenderService(opts, files)


def _pillars(opts: Opts, grains: Grains) -> PillarCompiler:
    """Return the pillar compiler; `grains` is only looked into when a top file has to be matched."""
    from salt_g.files.client import PillarClient
    from salt_g.pillar.compiler import Compiler

    def access(pillar_opts: Opts) -> tuple[FileAccess, Rendering]:
        files = PillarClient(pillar_opts)
        return files, _render(pillar_opts, files)

    return Compiler(opts, grains, access)


def _states(services: Services, gather_grains: Callable[[], Grains]) -> StateEngine:
    from salt_g.state.engine import Engine

    def access(run_opts: Opts) -> tuple[FileAccess, Rendering]:
        files = _files(run_opts)
        return files, _render(run_opts, files)

    return Engine(services, gather_grains=gather_grains, access=access)


def _match() -> Matching:
    from salt_g.match.service import Matches

    return Matches()
