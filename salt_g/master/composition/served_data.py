"""Files, pillar and data that a master serves to minions."""

from __future__ import annotations

from dataclasses import dataclass

from salt_g.files.server import FileServer
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.serving.files import file_server
from salt_g.master.serving.hub_pillars import HubPillars
from salt_g.master.serving.minion_data import MinionData
from salt_g.master.serving.pillar_cache import PillarCache
from salt_g.master.serving.pillar_service import KnownMinions, PillarService
from salt_g.master.settings import PillarCacheSettings
from salt_g.pillar.git_clones import GitPillars
from salt_g.shapes import Opts
from salt_g.wire.rsa import PrivateKey


@dataclass(frozen=True)
class Serving:
    """File server, pillar and the data of each minion."""

    minion_data: MinionData
    pillar_cache: PillarCache
    fileserver: FileServer
    pillars: PillarService
    git_pillars: GitPillars
    known: KnownMinions


def compose_serving(
    opts: Opts, persistence: Persistence, network: NetworkParts, publishing: Publishing, key: PrivateKey
) -> Serving:
    """Create the parts that serve files and pillar; `key` is the master's private key. Raise ConfigError."""
    minion_data = MinionData(persistence.banks, keeps=opts["minion_data_cache"])
    pillar_cache = PillarCache(PillarCacheSettings.of(opts), persistence.banks)
    fileserver = file_server(opts)
    pillars = PillarService(
        HubPillars(opts),
        bus=network.bus,
        data=minion_data,
        cache=pillar_cache,
        master_key=key,
        minion_key=publishing.sessions.public_key,
        reports_refresh=bool(opts.get("minion_data_cache") and opts.get("minion_data_cache_events")),
    )
    return Serving(
        minion_data=minion_data,
        pillar_cache=pillar_cache,
        fileserver=fileserver,
        pillars=pillars,
        git_pillars=GitPillars(opts),
        known=KnownMinions(minion_data, pillars),
    )
