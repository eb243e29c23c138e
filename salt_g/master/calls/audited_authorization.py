"""Authorization that writes each decision to the audit chain; used with the setting `audit_log` only.

Shapes: a line has `what` (publish, runner, wheel, lock, order, plan, login, peer), `user`, `from`, `fun` (a
list in a job of several functions), `tgt`, `plan`, `verdict` (allowed or refused) and `reason`. Arguments are
not written, because they may contain secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from salt_g.auth.permissions import ALWAYS_ALLOWED, FunctionCall
from salt_g.master.calls.authorization import Allowed, Authorization, CommandCaller, NotAuthorized
from salt_g.shapes.loads import LoadFields

#: Function that writes a line of the audit chain.
Write = Callable[[Mapping[str, Any]], None]


class AuditedAuthorization(Authorization):
    """Authorization rules of this master, whose decisions are recorded by `write`."""

    def __init__(self, write: Write, *settings: Any, **parts: Any) -> None:
        """Initialize; the further arguments are those of `Authorization`."""
        super().__init__(*settings, **parts)
        self._write = write

    def check_publish(self, load: LoadFields, caller: CommandCaller) -> Allowed:
        """See `Authorization.check_publish`."""
        decide = partial(super().check_publish, load, caller)
        return self._noted("publish", job_fields(load), load, caller, decide)

    def check_again(self, standing: Mapping[str, Any], load: LoadFields) -> Allowed:
        """See `Authorization.check_again`."""
        about = {**job_fields(load), "user": standing.get("user")}
        return self._noted(
            "order", about, load, CommandCaller(), partial(super().check_again, standing, load)
        )

    def check_call(self, kind: str, call: FunctionCall, load: LoadFields, caller: CommandCaller) -> Allowed:
        """See `Authorization.check_call`."""
        decide = partial(super().check_call, kind, call, load, caller)
        return self._noted(kind, {"fun": call.fun}, load, caller, decide)

    def may_call(
        self, kind: str, call: FunctionCall, load: LoadFields, caller: CommandCaller
    ) -> Allowed | None:
        """See `Authorization.may_call`."""
        allowed = super().may_call(kind, call, load, caller)
        if allowed is not None:
            about = {"user": allowed.user, "fun": call.fun}
            self._write(line_of(kind, about, caller.source, is_allowed=True))
        return allowed

    def note_plan(
        self, order: str, plan: str, ids: Iterable[str], user: str, caller: CommandCaller, problem: str = ""
    ) -> None:
        """See `Authorization.note_plan`."""
        super().note_plan(order, plan, ids, user, caller, problem)
        about = {"user": user, "fun": f"plan.{order}", "plan": plan, "tgt": sorted(ids), "tgt_type": "list"}
        self._write(line_of("plan", about, caller.source, is_allowed=not problem, reason=problem))

    def make_token(self, load: LoadFields, caller: CommandCaller) -> Any:
        """See `Authorization.make_token`."""
        made = super().make_token(load, caller)
        about = {"user": load.get("username"), "fun": f"login by {load.get('eauth')}"}
        self._write(line_of("login", about, caller.source, is_allowed=bool(made)))
        return made

    def _noted(
        self,
        what: str,
        about: Mapping[str, Any],
        load: LoadFields,
        caller: CommandCaller,
        decide: Callable[[], Allowed],
    ) -> Allowed:
        try:
            allowed = decide()
        except NotAuthorized as exc:
            extra = load.get("kwargs")
            proof = extra if isinstance(extra, Mapping) else load
            about = {"user": exc.user or proof.get("username") or load.get("user"), **about}
            self._write(line_of(what, about, caller.source, is_allowed=False, reason=str(exc)))
            raise
        if not _is_question(about.get("fun")):
            self._write(line_of(what, {"user": allowed.user, **about}, caller.source, is_allowed=True))
        return allowed


def line_of(
    what: str, about: Mapping[str, Any], source: str, *, is_allowed: bool, reason: str = ""
) -> dict[str, Any]:
    """Return the audit line for a decision."""
    line: dict[str, Any] = {"what": what, **about, "from": source}
    line["verdict"] = "allowed" if is_allowed else "refused"
    return {**line, "reason": reason} if reason else line


def _is_question(fun: Any) -> bool:
    """Return whether a job consists only of the status queries that waiting clients repeat."""
    names = fun if isinstance(fun, list) else [fun]
    return bool(names) and all(isinstance(name, str) and name in ALWAYS_ALLOWED for name in names)


def job_fields(load: LoadFields) -> dict[str, Any]:
    """Return the fields of a job that an audit line contains."""
    return {name: load.get(name) for name in ("fun", "tgt", "tgt_type")}
