"""Call context of runners on a stopped master: the master's files, pillar and keys, and its store, read-only.

Services that need the daemon are refused with the reason; `salt_g/services/daemons.py` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from salt_g.api import CallContext
from salt_g.cache.banks import Banks
from salt_g.cache.jobs import Jobs
from salt_g.cache.store_choice import open_store, was_written
from salt_g.client.keys.key_files import key_files
from salt_g.keys.store import KeyStore
from salt_g.master.calls.call_context import master_context, read_set_service
from salt_g.master.publishing.target_explain import TargetExplain
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.serving.files import file_server
from salt_g.master.serving.hub_pillars import HubPillars
from salt_g.master.serving.mine import Mine
from salt_g.master.serving.minion_data import MinionData
from salt_g.master.serving.pillar_cache import PillarCache
from salt_g.master.settings import MineSettings, PillarCacheSettings, TargetSettings

if TYPE_CHECKING:
    from salt_g.services.daemons import Progress
    from salt_g.shapes import Opts
    from salt_g.shapes.replies import Absence

#: Services that only a running master offers.
OF_A_DAEMON = (
    "batches",
    "calls",
    "client",
    "events",
    "logins",
    "metrics",
    "presence",
    "resources",
    "rollouts",
)


def stopped_context(opts: Opts, progress: Progress, refuse: Callable[[], NoReturn]) -> CallContext:
    """Return the context of a call; services that need the daemon call `refuse`, which raises."""
    store, keys = open_store(opts), key_files(opts)
    store.only_read(refuse)
    banks = Banks(store)
    minion_data = MinionData(banks) if was_written(opts) else _NoMinionData(banks)
    targets = TargetResolution(TargetSettings.of(opts), keys, minion_data)
    context = master_context(
        opts,
        job_cache=Jobs(store),
        banks=banks,
        keys=KeyStore(keys),
        targets=targets,
        target_explain=TargetExplain(targets, banks, nodegroups=opts["nodegroups"] or {}),
        minion_data=minion_data,
        minion_pillars=_Pillars(opts, banks),
        mine=Mine(MineSettings.of(opts), banks=banks, keys=keys, expected=targets),
        progress=progress,
        **read_set_service(opts, store),
        absences=_NothingHeard(),
    )
    return context.replace(
        services=context.services.replace(
            fileserver=lambda: file_server(opts),
            git_pillars=lambda: _git_pillars(opts),
            **dict.fromkeys(OF_A_DAEMON, refuse),
        )
    )


class _NothingHeard:
    """Empty data about silent minions, because no daemon observes minions."""

    def of(self, jid: str, ids: Iterable[str]) -> dict[str, Absence]:
        """Return {}, because nothing is known about silent minions."""
        return {}


class _NoMinionData(MinionData):
    """Minion data of a master that has never run, without any minion; pillar can still be compiled."""

    def get(self, id: str) -> None:
        """Return None, because no minion is known."""


class _Pillars(HubPillars):
    """Pillar of minions, compiled in this process; implements `services.daemons.MinionPillars`."""

    def __init__(self, opts: Opts, banks: Banks) -> None:
        super().__init__(opts)
        self._kept = PillarCache(PillarCacheSettings.of(opts), banks)

    def kept(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the cached pillar of a minion (`pillar_cache`), or None if there is none."""
        return self._kept.get(id, pillarenv)

    def forget(self, id: str) -> None:
        """Drop the cached pillar of a minion."""
        self._kept.forget(id)


def _git_pillars(opts: Opts) -> Any:
    # Imported lazily: few calls need git.
    from salt_g.pillar.git_clones import GitPillars

    return GitPillars(opts)
