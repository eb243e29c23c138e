"""Commands of users for rollouts: start, list, status, order.

A rollout needs permission for its job, its checks and, with `undo`, `state.undo`, on all minions of its
target; each wave checks this again. Users see and control their own rollouts; with permission for the runner
functions `rollout.status`, `rollout.pause` and so on, also those of other users.
Shapes: `rollout` has the fields of `publish` and `rules` (`client/rollout_rules.py`); its reply is {tag,
jid}. `rollout_list` -> {rollouts: [status]}; `rollout_status` {jid} -> {rollout: status}; `rollout_order`
{jid, order: pause, resume or stop} -> {ordered: bool}. A problem is {error}.
Errors: NotAuthorized; everything else is an `error` in the reply.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.auth.permissions import FunctionCall
from salt_g.cache.jobs import Jobs
from salt_g.client.publishing import NO_MINIONS, JobRequest
from salt_g.client.rollout_rules import RolloutRules, read_rules
from salt_g.data.nested import DELIMITER
from salt_g.errors import ClientError, SaltGError
from salt_g.event import tags
from salt_g.master.calls.authorization import Allowed, Authorization, CommandCaller, NotAuthorized
from salt_g.master.calls.clear_commands import Serve
from salt_g.master.publishing.publish import PASSED_ON
from salt_g.master.rollouts.rollout_run import UNDO
from salt_g.master.rollouts.rollouts import Begun, Rollouts
from salt_g.shapes.loads import Load, LoadFields

#: Orders that users can give to a rollout.
ORDERS = ("pause", "resume", "stop")
#: Id of a plan, in place of a function.
_PLAN = re.compile(r"[0-9a-f]{6}")

#: Function that resolves (tgt, tgt_type, delimiter) to minions and resources.
Resolve = Callable[[Any, str, str], list[str]]
#: Function that begins to apply a plan, called with (load, caller, jid). It returns a context manager that
#: yields (function, arguments, minions), and marks the plan as not applied if the block raises.
ApplyPlan = Callable[
    [LoadFields, CommandCaller, str], contextlib.AbstractContextManager[tuple[str, list[Any], list[str]]]
]


class RolloutCommands:
    """Handler of the commands; `despite(load, caller)` returns the locks that a job may override."""

    def __init__(
        self,
        authorization: Authorization,
        rollouts: Rollouts,
        *,
        jobs: Jobs,
        resolve: Resolve,
        apply_plan: ApplyPlan,
        despite: Callable[[LoadFields, CommandCaller], list[str]],
    ) -> None:
        self._authorization = authorization
        self._rollouts = rollouts
        self._jobs = jobs
        self._resolve = resolve
        self._apply_plan = apply_plan
        self._despite = despite

    def commands(self) -> Mapping[str, Serve]:
        """Return the commands by name."""
        made = {"": self._start, "_list": self._list, "_status": self._status, "_order": self._order}
        return {f"rollout{name}": _worded(serve) for name, serve in made.items()}

    def _start(self, load: LoadFields, caller: CommandCaller) -> Any:
        rules = read_rules(load.get("rules"))
        if not isinstance(load.get("arg"), list):
            raise ClientError("a rollout needs arg (a list)")
        jid = self._jobs.new_jid()
        with self._job(load, caller, jid) as job:
            self._begin(jid, load, caller, job, rules)
        return {"tag": tags.rollout(jid), "jid": jid}

    @contextlib.contextmanager
    def _job(self, load: LoadFields, caller: CommandCaller, jid: str) -> Iterator[JobRequest]:
        """Yield the job that a load requests; a plan is marked as applied unless the block raises."""
        fun, tgt, kind = load.get("fun"), load.get("tgt"), str(load.get("tgt_type") or "glob")
        if not (isinstance(fun, str) and _PLAN.fullmatch(fun)):
            yield JobRequest(tgt, fun, load["arg"], kind, str(load.get("ret") or ""))
            return
        minions = self._minions(load)
        with self._apply_plan(load, caller, jid) as (apply, arg, planned):
            ids = sorted(set(planned).intersection(minions))
            if not ids:
                raise ClientError(f"plan {fun} has no part for any minion of the target")
            yield JobRequest(ids, apply, arg, "list")

    def _begin(
        self, jid: str, load: LoadFields, caller: CommandCaller, job: JobRequest, rules: RolloutRules
    ) -> None:
        given = load.get("kwargs") if isinstance(load.get("kwargs"), Mapping) else {}
        extra = {name: value for name, value in (given or {}).items() if name in (*PASSED_ON, "delimiter")}
        names = job.fun if isinstance(job.fun, list) else [job.fun]
        if rules.undo and not all(str(name).startswith("state.") for name in names):
            raise ClientError(
                "--undo reverts state runs only: the function must be a function of the module `state`"
            )
        asked: Load = {**load, **job._asdict(), "cmd": "publish", "jid": ""}
        allowed = self._authorization.check_publish(asked, caller)
        others = [*rules.checks, *([(UNDO, [jid])] if rules.undo else [])]
        for fun, arg in others:
            self._authorization.check_publish({**asked, "fun": fun, "arg": arg, "ret": ""}, caller)
        if not self._minions(asked):
            raise ClientError(NO_MINIONS)
        begun = Begun(
            job,
            rules,
            extra,
            allowed.user,
            allowed.owner,
            dict(allowed.standing),
            caller.ordered_by,
            self._despite(load, caller),
            time.time(),
        )
        problem = self._rollouts.start(jid, begun)
        if problem:
            raise ClientError(problem)

    def _minions(self, load: LoadFields) -> list[str]:
        tgt, kind = load.get("tgt"), str(load.get("tgt_type") or "glob")
        if kind == "nodegroup":
            tgt, kind = f"N@{tgt}", "compound"
        delimiter = (load.get("kwargs") or {}).get("delimiter")
        return self._resolve(tgt, kind, delimiter if isinstance(delimiter, str) else DELIMITER)

    def _list(self, load: LoadFields, caller: CommandCaller) -> Any:
        mine = self._user(load, caller).owner
        every = FunctionCall("rollout.list")
        # Only a use of the permission is audited, because every user may list their own rollouts.
        sees_all = self._authorization.may_call("runner", every, _flat(load), caller) is not None
        found = self._rollouts.all()
        return {"rollouts": [one for one in found if sees_all or self._rollouts.owner(one["jid"]) == mine]}

    def _status(self, load: LoadFields, caller: CommandCaller) -> Any:
        self._check("status", load, caller)
        return {"rollout": self._rollouts.status(str(load.get("jid")))}

    def _order(self, load: LoadFields, caller: CommandCaller) -> Any:
        order = load.get("order")
        if order not in ORDERS:
            raise ClientError(f"order must be one of {', '.join(ORDERS)}")
        user = self._check(str(order), load, caller)
        return {"ordered": self._rollouts.order(str(load.get("jid")), str(order), user)}

    def _check(self, what: str, load: LoadFields, caller: CommandCaller) -> str:
        """Return the user of a command; raise NotAuthorized unless it is the rollout's owner or permitted."""
        allowed, jid = self._user(load, caller), str(load.get("jid"))
        if self._rollouts.owner(jid) != allowed.owner:
            # Unknown rollouts are checked as well, so that nobody learns which ones exist.
            self._authorization.check_call(
                "runner", FunctionCall(f"rollout.{what}", [jid]), _flat(load), caller
            )
        return allowed.user

    def _user(self, load: LoadFields, caller: CommandCaller) -> Allowed:
        return self._authorization.check_user(_flat(load), caller)


def _flat(load: LoadFields) -> Load:
    """Return a load with the credentials from its `kwargs` as fields of the load, as in calls."""
    kwargs = load.get("kwargs")
    return {**load, **(kwargs if isinstance(kwargs, Mapping) else {})}


def _worded(serve: Serve) -> Serve:
    def answer(load: LoadFields, caller: CommandCaller) -> Any:
        try:
            return serve(load, caller)
        except NotAuthorized:
            raise
        except (SaltGError, TimeoutError) as exc:
            return {"error": str(exc)}

    return answer
