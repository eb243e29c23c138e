"""Parts that resolve targets: accepted minions by their data, and the resources that minions manage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from salt_g.cache.resources import ResourceTable
from salt_g.loader.part_plugins import PartPlugins
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.served_data import Serving
from salt_g.master.publishing.data_columns import DataColumns
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.resources.facade import Resources
from salt_g.master.serving.mine import Mine
from salt_g.master.settings import MasterResourceSettings, MineSettings, TargetSettings
from salt_g.shapes import Opts

if TYPE_CHECKING:
    from salt_g.master.cluster.cluster import Cluster
    from salt_g.master.cluster.shared_registration import SharedRegistration
    from salt_g.master.resources.registration import Registration


@dataclass(frozen=True)
class Targeting:
    """Resources, targets, and the mine, which minions read by target. `resources` are not started."""

    resources: Resources
    targets: TargetResolution
    mine: Mine
    #: Registration of resources at all masters of a cluster, None for a master alone.
    shared_registration: SharedRegistration | None = None

    @property
    def registration(self) -> Registration | SharedRegistration:
        """Registration that minions use."""
        return self.shared_registration or self.resources.registration


def compose_targeting(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    serving: Serving,
    cluster: Cluster | None = None,
) -> Targeting:
    """Create the registry of resources and the resolution of targets."""
    resources = Resources(
        MasterResourceSettings.of(opts),
        keys=persistence.key_files,
        table=ResourceTable(persistence.store) if cluster is None else cluster.resources,
        bus=network.bus,
        compiling=serving.pillars,
        known=serving.known.data_of,
        decides=(lambda: True) if cluster is None else cluster.membership.is_leader,
    )
    shared = None if cluster is None else cluster.share_resources(resources)
    targets = TargetResolution(
        TargetSettings.of(opts),
        persistence.key_files,
        serving.minion_data,
        resources.targeting,
        matchers=PartPlugins(opts, "matchers"),
        columns=DataColumns(serving.minion_data),
    )
    mine = Mine(MineSettings.of(opts), banks=persistence.banks, keys=persistence.key_files, expected=targets)
    return Targeting(resources=resources, targets=targets, mine=mine, shared_registration=shared)
