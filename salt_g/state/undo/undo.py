"""One call of `state.undo`: the choice of the job, the restoration, the report to the caller.

The way back is recorded like any run, so it can be undone as well.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import CallContext
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.safe_files.recording import before_service
from salt_g.state.undo.history import UNDO, History, Recorded
from salt_g.state.undo.machine_files import MachineFiles, OwnFiles
from salt_g.state.undo.restore import Plan, plan_of, revert, summary

#: Stands for the newest job that can be undone.
LAST = "last"


def undo(context: CallContext, history: History, wanted: str, *, force: bool) -> dict[str, Any]:
    """Revert a job, or in test mode report what would be reverted; raise CommandExecutionError if unknown.

    Shapes: {jid, result, comment, restored: [path], services: [name], left: {path: reason}, not_reversible:
    [{fun, id, changes}]}; `result` is False when something is left.
    """
    recorded = _recorded(history, wanted)
    files = history.scope.elsewhere or OwnFiles()
    try:
        plan = plan_of(recorded, files=files, force=force)
    except OSError as exc:
        raise CommandExecutionError(f"Cannot look at what job {recorded.jid} has changed: {exc}") from exc
    services = _Services(context)
    wanted_services = {name: want for name, want in plan.services.items() if services.differs(name, want)}
    is_test = bool(context.opts.get("test"))
    left = dict(plan.left)
    if not is_test:
        left.update(_reverted(context, history, recorded, plan, files, wanted_services))
    restored = [history.scope.shown(path) for path in plan.paths if path not in left]
    left = {history.scope.shown(path): why for path, why in left.items()}
    names = [name for name in wanted_services if _label(name) not in left]
    return {
        "jid": recorded.jid,
        "result": not left,
        "comment": summary(plan, len(restored), left, names, test=is_test),
        "restored": restored,
        "services": names,
        "left": left,
        "not_reversible": plan.others,
    }


def _recorded(history: History, wanted: str) -> Recorded:
    jid = history.last() if wanted == LAST else wanted
    recorded = history.read(jid) if jid in history.jids() else None
    if recorded is not None:
        return recorded
    known = history.jids()
    if not known:
        raise CommandExecutionError(
            "No state run is recorded here. Runs are recorded that change something while"
            " `state_undo: True` is set in the minion's settings"
        )
    if wanted == LAST:
        raise CommandExecutionError("All recorded state runs are undone")
    raise CommandExecutionError(
        f"No record of job {wanted}; it changed nothing, is too old, or ran elsewhere."
        f" There are: {', '.join(reversed(known))}"
    )


def _reverted(
    context: CallContext,
    history: History,
    recorded: Recorded,
    plan: Plan,
    files: MachineFiles,
    wanted_services: dict[str, dict[str, bool | None]],
) -> dict[str, str]:
    """Restore services and paths; return what is left and why."""
    services = _Services(context)
    journal = history.journal(str(context.job.get("jid") or recorded.jid), UNDO)
    record = journal.chunk({"state": "file", "fun": "undo", "__id__": recorded.jid, "name": recorded.jid})
    try:
        with record.recording:
            # A service stops before its files go, and starts after they are back.
            left = services.restore(wanted_services, is_running=False)
            left.update(revert(history, recorded, plan, files))
            left.update(services.restore(wanted_services, is_running=True))
        record.end(None)
    finally:
        journal.close()
    if not left and not plan.left:
        history.mark_undone(recorded.jid, str(context.job.get("jid", "")))
    history.prune()
    return left


class _Services:
    """Services of this machine, by the functions of its `service` module."""

    def __init__(self, context: CallContext) -> None:
        self._functions = context.table("modules")

    def differs(self, name: str, wanted: dict[str, bool | None]) -> bool:
        """Return whether a service is not as recorded, as far as its manager can tell."""
        return any(
            value is not None and function in self._functions and self._ask(function, name) != value
            for function, value in (
                ("service.status", wanted["running"]),
                ("service.enabled", wanted["enabled"]),
            )
        )

    def restore(self, wanted: dict[str, dict[str, bool | None]], *, is_running: bool) -> dict[str, str]:
        """Stop those that did not run, or start and enable or disable the others; return failures."""
        left: dict[str, str] = {}
        for name, want in wanted.items():
            try:
                self._restore(name, want, is_running=is_running)
            except (SaltGError, KeyError) as exc:
                left[_label(name)] = str(exc)
        return left

    def _restore(self, name: str, want: dict[str, bool | None], *, is_running: bool) -> None:
        now = self._ask("service.status", name)
        if want["running"] is is_running and now is not is_running:
            before_service(name, is_running=now)
            self._act("service.start" if is_running else "service.stop", name)
        asks = want["enabled"] is not None and is_running and "service.enabled" in self._functions
        enabled = self._ask("service.enabled", name) if asks else None
        if enabled is not None and enabled is not want["enabled"]:
            before_service(name, is_enabled=enabled)
            self._act("service.enable" if want["enabled"] else "service.disable", name)

    def _ask(self, function: str, name: str) -> bool:
        return bool(self._functions[function](name))

    def _act(self, function: str, name: str) -> None:
        if not self._functions[function](name):
            raise CommandExecutionError(f"{function} {name} failed")


def _label(name: str) -> str:
    return f"service {name}"
