"""Calls and jobs of users: permissions, publication, batches, runner and wheel functions.

A client inside the master can send only the commands of `answer`, which publish jobs and query them. It calls
runners and starts batches through the services of its call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g.client.jobs import JobClient
from salt_g.data.run_record import Resumers
from salt_g.master.calls.authorization import Authorization
from salt_g.master.calls.call_context import read_set_service
from salt_g.master.calls.call_services import CallServices
from salt_g.master.calls.clear_commands import CallCommands, ClearCommands, PublishCommands, Serve, serve
from salt_g.master.calls.client_queries import ClientQueries, Query
from salt_g.master.calls.ipc_server import Answer
from salt_g.master.calls.local_commands import answer_trusted
from salt_g.master.calls.runner_calls import RunnerCalls
from salt_g.master.calls.token_commands import TokenCommands
from salt_g.master.composition.admission import Admission
from salt_g.master.composition.mailbox import MailParts, compose_mailbox
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.permissions import Permissions, compose_permissions
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.composition.returns import Returns
from salt_g.master.composition.rollouts import RolloutParts, compose_rollouts
from salt_g.master.composition.run_records import RunRecords
from salt_g.master.composition.served_data import Serving
from salt_g.master.composition.targeting import Targeting
from salt_g.master.locks.locks import Locks
from salt_g.master.plans.plan_gate import UserPlanGate
from salt_g.master.publishing.batches import Batches
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.publishing.rollout_guard import guard_of
from salt_g.master.publishing.target_explain import TargetExplain
from salt_g.master.returns.absences import Absences
from salt_g.master.settings import PublicationSettings
from salt_g.shapes import Opts
from salt_g.telemetry.metric_registry import MetricRegistry
from salt_g.wire.rsa import PrivateKey

if TYPE_CHECKING:
    from salt_g.master.plans.kept_plans import KeptPlans
    from salt_g.master.plans.plan_commands import PlanCommands


@dataclass(frozen=True)
class CallParts:
    """Parts that serve users' jobs and calls.

    `queries` are clients' queries by name; `clear` handles the clear commands (publish, runner, wheel, ...).
    """

    permissions: Permissions
    publisher: JobPublisher
    batches: Batches
    services: CallServices
    runner_calls: RunnerCalls
    queries: Mapping[str, Query]
    clear: ClearCommands
    tokens: TokenCommands
    mail: MailParts
    rollouts: RolloutParts

    def resumers(self) -> Resumers:
        """Return the functions that resume recorded runs, by kind."""
        return {
            "runner": self.runner_calls.resume,
            "batch": self.batches.resume,
            "rollout": self.rollouts.rollouts.resume,
        }


def compose_calls(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    serving: Serving,
    targeting: Targeting,
    admission: Admission,
    returns: Returns,
    records: RunRecords,
    *,
    key: PrivateKey,
    metrics: MetricRegistry,
) -> CallParts:
    """Create the parts that authorize and run calls of users and minions on the master."""
    permissions = compose_permissions(opts, persistence, targeting)
    authorization, lock_commands = permissions.authorization, permissions.lock_commands
    publisher = _publisher(opts, persistence, network, publishing, targeting, returns, permissions.locks)
    mail = compose_mailbox(
        opts, persistence, network, publishing, publisher, authorization, targeting.targets, key
    )
    publish = PublishCommands(authorization, publisher, mail.mailbox.order, lock_commands.despite).commands()
    absences = Absences(publishing.everywhere, publishing.table, returns.steps.of)
    queries = _queries(persistence, publishing, targeting, returns, absences)
    answer: Answer = partial(answer_trusted, queries, partial(serve, publish))
    batches = _batches(opts, persistence, network, answer, authorization, records)
    plan_commands = partial(_plan_commands, opts, persistence, authorization, publisher)
    plans = UserPlanGate(returns.plans, plan_commands)
    rollouts = compose_rollouts(
        opts,
        persistence,
        network,
        targeting.targets,
        records,
        answer=answer,
        authorization=authorization,
        publisher=publisher,
        plans=plans,
        despite=lock_commands.despite,
    )
    shared = _services(opts, persistence, publishing, serving, targeting, admission)
    shared.update(absences=absences, batches=batches, logins=permissions.logins, metrics=metrics)
    shared.update(rollouts=rollouts.rollouts)
    services = CallServices(opts, answer=answer, bus=network.bus, jobs=persistence.jobs, services=shared)
    runners = _runner_calls(opts, persistence, network, services, records)
    clear = _clear_commands(
        network,
        authorization,
        publish,
        CallCommands(authorization, runners).commands(),
        mail.commands.commands(),
        lock_commands.commands(),
        rollouts.commands.commands(),
        plans.commands(),
    )
    tokens = TokenCommands(permissions.logins, persistence.scoped_tokens)
    return CallParts(
        permissions, publisher, batches, services, runners, queries, clear, tokens, mail, rollouts
    )


def _clear_commands(
    network: NetworkParts, authorization: Authorization, *groups: Mapping[str, Serve]
) -> ClearCommands:
    return ClearCommands(
        {name: serve for group in groups for name, serve in group.items()},
        authorization=authorization,
        is_local=network.clear_command_sources.__contains__,
        has_readers=network.event_sockets.is_open,
    )


def _queries(
    persistence: Persistence,
    publishing: Publishing,
    targeting: Targeting,
    returns: Returns,
    absences: Absences,
) -> Mapping[str, Query]:
    return ClientQueries(
        presence=publishing.everywhere,
        resources=targeting.resources,
        expected=targeting.targets,
        jobs=persistence.jobs,
        steps=returns.steps.of,
        absences=absences,
    ).commands()


def _publisher(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    targeting: Targeting,
    returns: Returns,
    locks: Locks,
) -> JobPublisher:
    return JobPublisher(
        PublicationSettings.of(opts),
        jobs=persistence.jobs,
        running=returns.expected,
        stock_files=persistence.stock_files,
        bus=network.bus,
        expected=targeting.targets,
        gate=publishing.gate,
        resource_jobs=targeting.resources.jobs,
        readers=network.readers,
        locks=locks,
        guard=guard_of(opts["rollout_guard"]),
    )


def _plan_commands(
    opts: Opts,
    persistence: Persistence,
    authorization: Authorization,
    publisher: JobPublisher,
    kept: KeptPlans,
) -> PlanCommands:
    from salt_g.master.plans.plan_commands import PlanCommands
    from salt_g.pillar.secret_paths import without_secrets

    patterns = opts["pillar_secrets"] or ()
    return PlanCommands(
        kept,
        authorization=authorization,
        publisher=publisher,
        jobs=persistence.jobs,
        approval=str(opts["plan_approval"]).lower(),
        secrets_of=lambda arg: without_secrets(arg, patterns),
    )


def _batches(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    answer: Answer,
    authorization: Authorization,
    records: RunRecords,
) -> Batches:
    return Batches(
        make_client=partial(JobClient, opts),
        answer=answer,
        bus=network.bus,
        jobs=persistence.jobs,
        supervisor=network.supervisor,
        readers=network.readers,
        local_name=authorization.local_name,
        caller_of=authorization.caller_of,
        hooks=records.batches,
    )


def _runner_calls(
    opts: Opts, persistence: Persistence, network: NetworkParts, services: CallServices, records: RunRecords
) -> RunnerCalls:
    return RunnerCalls(
        opts,
        bus=network.bus,
        jobs=persistence.jobs,
        supervisor=network.supervisor,
        make_client=services.client,
        readers=network.readers,
        hooks=records.runners,
        **services.services,
    )


def _services(
    opts: Opts,
    persistence: Persistence,
    publishing: Publishing,
    serving: Serving,
    targeting: Targeting,
    admission: Admission,
) -> dict[str, Any]:
    """Return the services of runners and wheel functions, by the names of `services/daemons.py`."""
    nodegroups = opts["nodegroups"] or {}
    return {
        **read_set_service(opts, persistence.store),
        "banks": persistence.banks,
        "keys": admission.keys,
        "presence": publishing.everywhere,
        "fileserver": serving.fileserver,
        "git_pillars": serving.git_pillars,
        "minion_data": serving.minion_data,
        "minion_pillars": serving.pillars,
        "mine": targeting.mine,
        "targets": targeting.targets,
        "resources": targeting.resources,
        "target_explain": TargetExplain(targeting.targets, persistence.banks, nodegroups=nodegroups),
    }
