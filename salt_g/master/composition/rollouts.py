"""Rollouts of a master, and the commands about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from salt_g.client.jobs import JobClient
from salt_g.master.calls.authorization import Authorization, CommandCaller
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.run_records import RunRecords
from salt_g.master.plans.plan_gate import UserPlanGate
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.rollouts.rollout_commands import RolloutCommands
from salt_g.master.rollouts.rollouts import Rollouts
from salt_g.shapes import Opts
from salt_g.shapes.loads import LoadFields


@dataclass(frozen=True)
class RolloutParts:
    """Rollouts, and the commands."""

    rollouts: Rollouts
    commands: RolloutCommands


def compose_rollouts(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    targets: TargetResolution,
    records: RunRecords,
    *,
    answer: Answer,
    authorization: Authorization,
    publisher: JobPublisher,
    plans: UserPlanGate,
    despite: Callable[[LoadFields, CommandCaller], list[str]],
) -> RolloutParts:
    """Create the rollouts of a master; `answer` serves their clients."""
    rollouts = Rollouts(
        make_client=partial(JobClient, opts),
        answer=answer,
        bus=network.bus,
        jobs=persistence.jobs,
        banks=records.rollout_banks,
        authorization=authorization,
        publisher=publisher,
        supervisor=network.supervisor,
        readers=network.readers,
        hooks=records.rollouts,
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
    return RolloutParts(rollouts, commands)
