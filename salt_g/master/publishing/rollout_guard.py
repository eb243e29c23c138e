"""Guard against plain jobs of some functions on many minions at once: the setting `rollout_guard`.

Every publication is checked, whatever its origin; slices of batches and waves of rollouts are publications to
few minions, or marked.
Shapes: the setting is {above: number of minions, functions: [patterns]}, {} for no guard.
Errors: ConfigError for a malformed setting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.auth.called_functions import with_called
from salt_g.auth.permissions import FunctionCall
from salt_g.errors import ConfigError
from salt_g.loader.job_arguments import split_arguments
from salt_g.loader.test_runs import is_test_run
from salt_g.regex.name_patterns import matches_name

#: Field of a job's `kwargs` that exempts the job from the guard.
ALL_AT_ONCE = "all_at_once"
_APPLY_PLAN = "state.apply_plan"
#: Id of a plan that the master keeps; other plans are files on minions.
_PLAN = re.compile(r"[0-9a-f]{6}")
_FIELDS = {"above", "functions"}
#: Functions that clients call on all minions of a job, before the job begins and while it runs.
_QUESTIONS = frozenset(("test.ping", "saltutil.find_job"))


class RolloutGuard(NamedTuple):
    """Guard of a master; without `functions` it refuses nothing."""

    above: int = 0
    functions: tuple[str, ...] = ()

    def refusal(self, fun: Any, arg: Any, number: int) -> str:
        """Return why a job on `number` minions is refused, '' if it is not."""
        if not self.functions or number <= self.above:
            return ""
        guarded = [call.fun for call in with_called(_calls(fun, arg)) if self._guards(call)]
        if not guarded:
            return ""
        plan = _kept_plan(fun, arg)
        ways = f"--rollout 2,10%,100% or -b {self.above}, or --all-at-once (all_at_once=True)"
        if plan:
            ways = f"salt-g '*' {plan} --rollout 2,10%,100%, or salt-g plan apply {plan} --all-at-once"
        return (
            f"{guarded[0]} on {number} minions at once, but rollout_guard allows {self.above}: use {ways}"
            " if it has to be"
        )

    def _guards(self, call: FunctionCall) -> bool:
        if call.fun in _QUESTIONS or is_test_run(call.fun, call.kwargs):
            return False
        # A call that is nested too deeply or malformed has no function name, so it is guarded.
        return not call.fun or any(matches_name(call.fun, pattern) for pattern in self.functions)


def _kept_plan(fun: Any, arg: Any) -> str:
    """Return the id of the plan that a job applies, '' if it applies none that the master keeps."""
    id = arg[0] if fun == _APPLY_PLAN and isinstance(arg, list) and arg else ""
    return id if isinstance(id, str) and _PLAN.fullmatch(id) else ""


def guard_of(setting: Any) -> RolloutGuard:
    """Return the guard of the setting; raises ConfigError."""
    if not setting:
        return RolloutGuard()
    if not isinstance(setting, Mapping) or setting.keys() != _FIELDS:
        raise ConfigError(["rollout_guard must have exactly the keys `above` and `functions`"])
    above, functions = setting["above"], setting["functions"]
    if isinstance(above, bool) or not isinstance(above, int) or above < 1:
        raise ConfigError([f"rollout_guard: above must be a number of minions, at least 1, not {above!r}"])
    if not isinstance(functions, list) or not all(isinstance(one, str) and one for one in functions):
        raise ConfigError(
            [f"rollout_guard: functions must be a list of names such as state.*, not {functions!r}"]
        )
    return RolloutGuard(above, tuple(functions))


def _calls(fun: Any, arg: Any) -> list[FunctionCall]:
    """Return the calls of a job; malformed arguments count as none."""
    names = fun if isinstance(fun, list) else [fun]
    lists = arg if isinstance(fun, list) else [arg]
    if not isinstance(lists, list) or len(lists) != len(names):
        lists = [[]] * len(names)
    return [
        FunctionCall(str(name), *split_arguments(words if isinstance(words, list) else []))
        for name, words in zip(names, lists, strict=True)
    ]
