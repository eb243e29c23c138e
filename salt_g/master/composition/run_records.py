"""Records of a master's runs, by which an orchestration, a batch or a rollout outlives the master's end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cluster.sealing import Sealing
from salt_g.data.run_record import NO_HOOKS, RunHooks
from salt_g.master.calls.own_runs import OwnRuns
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.rollouts.sealed_banks import SealedBanks
from salt_g.shapes import Opts
from salt_g.wire.rsa import PrivateKey

if TYPE_CHECKING:
    from salt_g.master.cluster.cluster import Cluster
    from salt_g.master.cluster.left_calls import LeftCalls


@dataclass(frozen=True)
class RunRecords:
    """Hooks that record the runs, and their records: `own` of a master alone, `left` in a cluster."""

    runners: RunHooks
    batches: RunHooks
    rollouts: RunHooks
    #: Banks of the rollouts, sealed, so that others who can read the store learn nothing.
    rollout_banks: SealedBanks
    own: Sequence[OwnRuns] = ()
    left: LeftCalls | None = None


def compose_run_records(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    *,
    key: PrivateKey,
    cluster: Cluster | None = None,
) -> RunRecords:
    """Create the records; `key` is the master's private key."""
    sealed = SealedBanks(persistence.banks, Sealing(key, "rollouts"))
    if cluster is not None:
        assert publishing.shared is not None
        left = cluster.make_left_calls(network.bus, publishing.shared)
        hooks = left.hooks()
        return RunRecords(hooks, hooks, hooks, sealed, left=left)
    drops_repeated = persistence.drops_repeated
    rollouts = OwnRuns(sealed, drops_repeated=drops_repeated, bank="rollout_runs")
    of_rollouts = rollouts.hooks("rollout")
    # Not with secrets in pillar: they may be in arguments and returns, and must never be written to disk.
    if not isinstance(persistence.store, EmbeddedStore) or opts.get("pillar_secrets"):
        return RunRecords(NO_HOOKS, NO_HOOKS, of_rollouts, sealed, own=(rollouts,))
    others = OwnRuns(persistence.banks, drops_repeated=drops_repeated)
    return RunRecords(
        others.hooks("runner"), others.hooks("batch"), of_rollouts, sealed, own=(rollouts, others)
    )
