"""Test runs: jobs that only report what they would change.

The one question of locks, the guard of rollouts and plans. It says yes only to what every minion runs as a
test, salt-g's and stock's; what is in doubt counts as a run for real.
Shapes: a function's name and its keyword arguments as `split_arguments` returns them, the last of repeated
ones.
Source: wire specification, section 7.2; tried with stock 3008.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Functions that are test runs whatever their arguments are.
_ALWAYS = frozenset(("state.test",))
#: Functions that a keyword makes a test run. Stock's minions run `state.low` and `state.template` for real.
_BY_KEYWORD = frozenset(
    f"state.{name}" for name in ("apply", "highstate", "sls", "sls_id", "single", "high", "top", "undo")
)
#: Texts that mean true. Minions take any text but the empty one so, even `False`, which nobody means.
_TRUE = ("true", "yes", "on", "1")


def is_test_run(fun: str, kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call changes nothing because it is a test run."""
    return fun in _ALWAYS or (fun in _BY_KEYWORD and _means_true(kwargs.get("test")))


def _means_true(value: Any) -> bool:
    if isinstance(value, str):
        return value.lower() in _TRUE
    # NaN and everything nested is what nobody means.
    return isinstance(value, (bool, int, float)) and (value < 0 or value > 0)
