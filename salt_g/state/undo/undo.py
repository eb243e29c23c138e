"""One call of `state.undo`: the choice of the job, the restoration, the report to the caller.

The restoration is recorded like any run, so it can be undone too.
"""

from __future__ import annotations

from typing import NamedTuple

from salt_g.api import CallContext
from salt_g.errors import CommandExecutionError
from salt_g.shapes.undo import UndoReply
from salt_g.state.undo.history import UNDO, Recorded, UndoHistory
from salt_g.state.undo.machine_files import MachineFiles, OwnFiles
from salt_g.state.undo.restore import RestorePlan, plan_of, revert, summary, unfinished
from salt_g.state.undo.services import MachineServices, Wanted, label

#: Word for the newest job that can be undone.
LAST = "last"


class _Machine(NamedTuple):
    """Files and services of the machine that is restored."""

    files: MachineFiles
    services: MachineServices


class _Wanted(NamedTuple):
    """Services to restore, and services to restart as {name: how}."""

    services: Wanted
    restarts: dict[str, str]


def undo(context: CallContext, history: UndoHistory, wanted: str, *, force: bool) -> UndoReply:
    """Revert a job, or in test mode only report that; raise CommandExecutionError for an unknown job."""
    recorded = _recorded(history, wanted)
    machine = _Machine(history.scope.elsewhere or OwnFiles(), MachineServices(context))
    try:
        plan = plan_of(recorded, files=machine.files, force=force, begun=unfinished(history, recorded))
    except OSError as exc:
        raise CommandExecutionError(f"Cannot read the files that job {recorded.jid} changed: {exc}") from exc
    restarts = machine.services.to_restart(recorded) if plan.paths or recorded.due else {}
    found = _Wanted(machine.services.differing(plan.services), restarts)
    is_test = bool(context.opts.get("test"))
    left = dict(plan.left)
    if not is_test:
        left.update(_reverted(context, history, recorded, plan, machine, found))
    restored = [history.scope.shown(path) for path in plan.paths if path not in left]
    left = {history.scope.shown(path): why for path, why in left.items()}
    names = [name for name in found.services if label(name) not in left]
    restarted = {name: how for name, how in found.restarts.items() if label(name) not in left}
    reply: UndoReply = {
        "jid": recorded.jid,
        "result": not left,
        "comment": summary(plan, len(restored), left, names, restarted, test=is_test),
        "restored": restored,
        "services": names,
        "restarted": restarted,
        "left": left,
        "not_reversible": plan.others,
    }
    if is_test:
        reply["test"] = True
    return reply


def _recorded(history: UndoHistory, wanted: str) -> Recorded:
    jid = history.last() if wanted == LAST else wanted
    recorded = history.read(jid) if jid in history.jids() else None
    if recorded is not None:
        return recorded
    known = history.jids()
    if not known:
        raise CommandExecutionError(
            "No state run is recorded here. Runs that change something are recorded while"
            " `state_undo: True` is set in the minion's settings"
        )
    if wanted == LAST:
        raise CommandExecutionError("All recorded state runs have been undone")
    raise CommandExecutionError(
        f"No record of job {wanted}; it changed nothing, is too old, or ran elsewhere."
        f" Recorded jobs: {', '.join(reversed(known))}"
    )


def _reverted(
    context: CallContext,
    history: UndoHistory,
    recorded: Recorded,
    plan: RestorePlan,
    machine: _Machine,
    wanted: _Wanted,
) -> dict[str, str]:
    """Restore services and paths; return {name: reason} for those that could not be restored."""
    jid = str(context.job.get("jid") or recorded.jid)
    history.mark_begun(recorded.jid, jid)
    journal = history.journal(jid, UNDO)
    record = journal.chunk({"state": "file", "fun": "undo", "__id__": recorded.jid, "name": recorded.jid})
    try:
        with record.recording:
            if wanted.restarts != recorded.due:
                # Recorded before the files change, so that a repeated undo after a kill finds the restarts
                # again.
                history.mark_due(recorded.jid, wanted.restarts)
            left = machine.services.take_away(wanted.services)
            left.update(revert(history, recorded, plan, machine.files))
            left.update(machine.services.bring_back(wanted.services))
            failed = machine.services.restart(wanted.restarts)
            left.update(failed)
        record.end(None)
        if wanted.restarts:
            due = {name: how for name, how in wanted.restarts.items() if label(name) in failed}
            history.mark_due(recorded.jid, due)
    finally:
        journal.close()
    if not left and not plan.left:
        history.mark_undone(recorded.jid, str(context.job.get("jid", "")))
    history.prune()
    return left
