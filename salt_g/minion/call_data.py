"""Data kept between jobs for one master, or without one: plugins, grains, pillar.

A job runs in a greenlet and not in a process, so the data that stock's minions rebuild for each job is kept
here and replaced when it changes.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.data.pillar_errors import errors_of
from salt_g.errors import PillarError, SaltGError
from salt_g.loader import Loader
from salt_g.loader.grains import gather
from salt_g.local_call import local_context
from salt_g.minion.minion_context import opts_for, own_master_services, remote_context
from salt_g.services.daemons import Asking, MinionServices
from salt_g.shapes import Grains, Opts, Pillar
from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

#: Grain that lists the managed resources.
RESOURCES_GRAIN = "salt_resources"


class CallData:
    """Factory of call contexts for one master's jobs.

    `services` are factories of the daemon's services other than the master (`events`, `jobs`).
    """

    def __init__(
        self,
        opts: Opts,
        channel: Asking | None,
        *,
        loader: Loader,
        services: Mapping[str, Callable[[], Any]],
    ) -> None:
        self.opts = opts
        self._channel = channel
        self.loader = loader
        self.grains: Grains = {}
        self.pillar: Pillar = {}
        #: Whether pillar has been loaded at least once.
        self.has_pillar = False
        self._services = services
        self._resources: Mapping[str, list[str]] = {}

    @property
    def channel(self) -> Asking:
        """Channel to the master; raise SaltGError if this minion has none."""
        if self._channel is None:
            raise SaltGError("this minion has no master")
        return self._channel

    def context(self, fun: str = "") -> CallContext:
        """Return a context for a call of `fun`; request the master's settings if `fun` reads SLS files."""
        opts = opts_for(self._own_opts(), self.channel, fun)
        return remote_context(
            opts, self.channel, loader=self.loader, grains=self.grains, pillar=self.pillar, **self._services
        )

    def matches(self, load: JobLoad) -> bool:
        """Return whether this minion matches a job's target; raise TargetError for an invalid one."""
        context = self.context()
        with api.use(context):
            return context.services.match.matches(
                load["tgt"],
                str(load.get("tgt_type") or "glob"),
                delimiter=str(load.get("delimiter") or ":"),
            )

    def set_resources(self, ids: Mapping[str, list[str]]) -> None:
        """Set the managed resources, {type: ids}, as a setting for plugins and as a grain."""
        self._resources = ids
        others = {name: value for name, value in self.grains.items() if name != RESOURCES_GRAIN}
        self.grains = {**others, RESOURCES_GRAIN: ids} if ids else others

    def _own_opts(self) -> Mapping[str, Any]:
        return {**self.opts, "resources": self._resources} if self._resources else self.opts

    def gather_grains(self) -> bool:
        """Reload grain modules and gather the grains again; return whether the grains have changed."""
        self.loader.reload(["grains"])
        with api.use(self.context()):
            found = gather(self._own_opts(), self.loader.table("grains"), refresh=True)
        has_changed = found != self.grains
        self.grains = found
        return has_changed

    def compile_pillar(self) -> bool:
        """Load new pillar, or log an error and keep the old one; return whether pillar was loaded."""
        began = time.monotonic()
        context = self.context()
        try:
            with api.use(context):
                pillar = context.services.pillars.compile(
                    saltenv=self.opts.get("saltenv"), pillarenv=self.opts.get("pillarenv"), earlier={}
                )
        except (SaltGError, PillarError, OSError) as exc:
            log.error("cannot load pillar: %s", exc)
            return False
        for message in errors_of(pillar):
            log.error("pillar has an error: %s", message)
        log.info("pillar was loaded in %.3f s", time.monotonic() - began)
        self.pillar, self.has_pillar = pillar, True
        return True


class MasterlessCallData(CallData):
    """Factory of call contexts without a master (`master_type: disable`, `file_client: local`).

    Schedule and beacons also run on such a minion, with the files and pillar of this machine.
    """

    def __init__(self, opts: Opts, *, loader: Loader, services: Mapping[str, Callable[[], Any]]) -> None:
        super().__init__(opts, None, loader=loader, services=services)

    def context(self, fun: str = "") -> CallContext:
        """Return a context for a call of `fun`."""
        context = local_context(self.opts)
        offered = context.services.extended(
            MinionServices,
            plugins=lambda: self.loader,
            **{**own_master_services(self.opts), **self._services},
        )
        return context.replace(services=offered, grains=self.grains, pillar=self.pillar)
