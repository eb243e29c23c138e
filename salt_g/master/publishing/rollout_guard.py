"""The setting `rollout_guard`: no plain job of some functions on many minions at once.

Every publication asks it, whatever its origin; slices of batches and waves of rollouts are publications of
few minions, or marked.
Shapes: the setting is {above: number of minions, functions: [patterns]}, {} for no guard.
Errors: ConfigError for a malformed setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import ConfigError
from salt_g.loader.job_arguments import split_arguments
from salt_g.master.locks.lock import is_change
from salt_g.regex.name_patterns import matches_name

#: Field of a job's `kwargs` that lets it pass.
ALL_AT_ONCE = "all_at_once"
_FIELDS = {"above", "functions"}
#: Functions that clients call on all minions of a job before and while it runs.
_QUESTIONS = frozenset(("test.ping", "saltutil.find_job"))


class RolloutGuard(NamedTuple):
    """Guard of a master; without `functions` it refuses nothing."""

    above: int = 0
    functions: tuple[str, ...] = ()

    def refusal(self, fun: Any, arg: Any, number: int) -> str:
        """Return why a job on so many minions is refused, '' if it is not."""
        if not self.functions or number <= self.above:
            return ""
        guarded = [name for name, words in _calls(fun, arg) if self._guards(name, words)]
        if not guarded:
            return ""
        return (
            f"{guarded[0]} on {number} minions at once, rollout_guard allows {self.above}: use"
            f" --rollout 2,10%,100% or -b {self.above}, or --all-at-once (all_at_once=True) if it has to be"
        )

    def _guards(self, name: str, words: Any) -> bool:
        if name in _QUESTIONS or not any(matches_name(name, pattern) for pattern in self.functions):
            return False
        is_undo_test = name == "state.undo" and isinstance(words, list) and _is_test(words)
        return not is_undo_test and is_change(name, words, ())


def guard_of(setting: Any) -> RolloutGuard:
    """Return the guard of the setting; raise ConfigError."""
    if not setting:
        return RolloutGuard()
    if not isinstance(setting, Mapping) or setting.keys() != _FIELDS:
        raise ConfigError(["rollout_guard needs the keys above and functions, and no others"])
    above, functions = setting["above"], setting["functions"]
    if isinstance(above, bool) or not isinstance(above, int) or above < 1:
        raise ConfigError([f"rollout_guard: above is a number of minions, not {above!r}"])
    if not isinstance(functions, list) or not all(isinstance(one, str) and one for one in functions):
        raise ConfigError([f"rollout_guard: functions is a list of names such as state.*, not {functions!r}"])
    return RolloutGuard(above, tuple(functions))


def _calls(fun: Any, arg: Any) -> list[tuple[str, Any]]:
    """Return the functions of a job with the arguments of each."""
    if not isinstance(fun, list):
        return [(str(fun), arg)]
    lists = arg if isinstance(arg, list) and len(arg) == len(fun) else [[]] * len(fun)
    return [(str(name), words) for name, words in zip(fun, lists, strict=True)]


def _is_test(words: list[Any]) -> bool:
    return split_arguments(words)[1].get("test") is True
