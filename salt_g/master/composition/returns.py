"""Returns of jobs: expected returns, stored ones, and those of jobs that this master has not published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.composition.targeting import Targeting
from salt_g.master.fleet.job_verdicts import JobVerdicts
from salt_g.master.fleet.last_runs import LastRuns
from salt_g.master.plans.plan_gate import PlanGate
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.master.returns.job_steps import JobSteps
from salt_g.master.returns.return_intake import ReturnIntake
from salt_g.master.returns.unpublished_returns import UnpublishedReturns
from salt_g.master.returns.unsolicited_returns import UnsolicitedReturns
from salt_g.master.settings import ReturnSettings
from salt_g.report.run_verdict import run_verdict
from salt_g.shapes import Opts
from salt_g.shapes.loads import ReturnLoad
from salt_g.wire.rsa import PrivateKey


@dataclass(frozen=True)
class Returns:
    """Intake of returns, minions that jobs expect, live steps and verdicts of jobs, and plans."""

    expected: ExpectedMinions
    unsolicited_returns: UnsolicitedReturns
    intake: ReturnIntake
    steps: JobSteps
    last_runs: LastRuns
    verdicts: JobVerdicts
    plans: PlanGate


def compose_returns(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    targeting: Targeting,
    *,
    is_owned: Callable[[str, str], bool],
    key: PrivateKey,
) -> Returns:
    """Create the parts that handle returns; `is_owned(id, jid)` is `MinionDataOwners.has`.

    `key` is the master's private key.
    """
    resources = targeting.resources

    def is_sign_of_life(jid: Any) -> bool:
        """Return whether a return with this jid only shows that a minion is connected."""
        return publishing.rotation.is_notice(jid) or resources.takeover_notice.is_message(jid)

    last_runs = LastRuns(persistence.banks, is_owned=is_owned)
    verdicts = JobVerdicts(persistence.jobs)

    def note(load: ReturnLoad) -> None:
        """Record the verdict on a return."""
        found = run_verdict(load)
        last_runs.note(load, found)
        verdicts.note(load["jid"], found)

    expected = ExpectedMinions(persistence.jobs, is_owned=is_owned)
    plans = PlanGate(persistence.banks, key)
    unsolicited_returns = UnsolicitedReturns(persistence.banks)
    intake = ReturnIntake(
        ReturnSettings.of(opts),
        jobs=persistence.jobs,
        own=_unpublished(opts, persistence.jobs),
        running=expected,
        unsolicited_returns=unsolicited_returns,
        bus=network.bus,
        sessions=publishing.sessions,
        remapping=resources.remapping,
        asked_about=resources.jobs.asked_about,
        is_notice=is_sign_of_life,
        on_kept=note,
        take_plan=plans.take,
        take_read_set=_read_set_intake(opts, persistence),
    )
    steps = JobSteps(network.bus, expects=expected.expects)
    return Returns(
        expected=expected,
        unsolicited_returns=unsolicited_returns,
        intake=intake,
        steps=steps,
        last_runs=last_runs,
        verdicts=verdicts,
        plans=plans,
    )


def _read_set_intake(opts: Opts, persistence: Persistence) -> Callable[[ReturnLoad, bytes], object]:
    """Return the function that stores the read-sets of returns, or drops them with `impact` off."""
    if not opts["impact"]:
        return lambda load, read_set: None
    # Imported lazily: a master without read-sets loads nothing of them.
    from salt_g.cache.read_sets import ReadSets
    from salt_g.master.returns.read_set_intake import ReadSetIntake

    return ReadSetIntake(ReadSets(persistence.store)).take


def _unpublished(opts: Opts, jobs: Jobs) -> UnpublishedReturns:
    """Return the quota of unpublished returns, counting those of earlier runs; raises StoreError."""
    own = UnpublishedReturns(int(opts["keep_jobs_bytes"]), remove=jobs.remove_own)
    for jid, id, size in jobs.walk_own():
        own.add(id, jid, size)
    return own
