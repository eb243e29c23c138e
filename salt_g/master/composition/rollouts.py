"""Rollouts of a master, and the commands about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from salt_g.cluster.sealing import Sealing
from salt_g.master.calls.authorization import Authorization, Caller
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.composition.network import Network
from salt_g.master.composition.persistence import Persistence
from salt_g.master.plans.plan_gate import PlanGate
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.rollouts.rollout_commands import RolloutCommands
from salt_g.master.rollouts.rollouts import Rollouts
from salt_g.master.rollouts.sealed_banks import SealedBanks
from salt_g.shapes import Opts
from salt_g.shapes.loads import LoadFields
from salt_g.wire.rsa import PrivateKey


@dataclass(frozen=True)
class RolloutParts:
    """Rollouts, their store, and the commands."""

    rollouts: Rollouts
    banks: SealedBanks
    commands: RolloutCommands


def compose_rollouts(
    opts: Opts,
    persistence: Persistence,
    network: Network,
    targets: TargetResolution,
    *,
    answer: Answer,
    authorization: Authorization,
    publisher: JobPublisher,
    plans: PlanGate,
    despite: Callable[[LoadFields, Caller], list[str]],
    key: PrivateKey,
) -> RolloutParts:
    """Create the rollouts of a master; `answer` serves their clients, `key` is the master's private key."""
    banks = SealedBanks(persistence.banks, Sealing(key, "rollouts"))
    rollouts = Rollouts(
        opts,
        answer=answer,
        bus=network.bus,
        jobs=persistence.jobs,
        banks=banks,
        authorization=authorization,
        publisher=publisher,
        supervisor=network.supervisor,
        readers=network.readers,
    )

    def resolve(tgt: Any, tgt_type: str, delimiter: str) -> list[str]:
        return list(targets.resolve_all(tgt, tgt_type, delimiter=delimiter).minions)

    commands = RolloutCommands(
        authorization,
        rollouts,
        jobs=persistence.jobs,
        resolve=resolve,
        apply_plan=plans.applied_in_waves,
        despite=despite,
    )
    return RolloutParts(rollouts, banks, commands)
