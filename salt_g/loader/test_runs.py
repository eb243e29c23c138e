"""Test runs: jobs that only report what they would change.

Locks, the guard of rollouts and plans all use this check. Only calls that every minion, of salt-g and stock,
runs as a test are test runs; in doubt, a call counts as a real run.
Shapes: a function's name, and its keyword arguments as returned by `split_arguments`, with the last value of
a repeated keyword.
Source: wire specification, section 7.2; tested with stock 3008.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Functions that are test runs with any arguments.
_ALWAYS = frozenset(("state.test",))
#: Functions that are test runs with `test=True`. Stock's minions run `state.low` and `state.template` for
#: real.
_BY_KEYWORD = frozenset(
    f"state.{name}" for name in ("apply", "highstate", "sls", "sls_id", "single", "high", "top", "undo")
)


def is_test_run(fun: str, kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call changes nothing because it is a test run."""
    # Other true values do not count: minions pass them on to the states, and some of stock's states check
    # for True itself.
    return fun in _ALWAYS or (fun in _BY_KEYWORD and kwargs.get("test") is True)
