"""Repeated calls of an execution function until its result is as wanted.

Units: `period`, `timeout` and `init_wait` in seconds.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._condition import evaluate
from salt_g.states._outcome import as_wanted, failed, would_change


def until(
    name: str,
    m_args: Sequence[Any] | None = None,
    m_kwargs: Mapping[str, Any] | None = None,
    condition: str | None = None,
    period: float = 1,
    timeout: float = 60,
) -> StateReturn:
    """Call `name` every `period` seconds until `condition` is true of its result, `m_ret`.

    `condition` has the form of a Python expression over `m_ret`: comparisons, `and`/`or`/`not`, arithmetic,
    look-ups, and functions such as `len`. `m_args` and `m_kwargs` are the arguments of the call. The state
    fails after `timeout` seconds.

    Example::

        salt-g state.single loop.until name=test.ping condition='m_ret is True'
    """
    if name not in functions:
        return failed(name, f"Cannot find module {name}")
    if condition is None:
        return failed(name, "An exit condition must be specified")
    if opts["test"]:
        return would_change(name, f"The execution module {name} will be run")
    ends = time.monotonic() + timeout
    while time.monotonic() < ends:
        result = call(name, *(m_args or ()), **(m_kwargs or {}))
        if evaluate(condition, {"m_ret": result}):
            return as_wanted(name, f"Condition {condition} was met")
        time.sleep(period)
    return failed(name, f"Timed out while waiting for condition {condition}")


def until_no_eval(
    name: str,
    expected: Any,
    compare_operator: str = "eq",
    timeout: float = 60,
    period: float = 1,
    init_wait: float = 0,
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
) -> StateReturn:
    """Call `name` every `period` seconds until the comparison of its result with `expected` is true.

    `compare_operator` is a function of Python's `operator` (`eq`, `ne`, `gt`, `contains`, ...), or an
    execution function that takes the result and `expected`; `args` and `kwargs` are the arguments of the
    call. The first call is made after `init_wait`; the state fails after `timeout`.

    Example::

        salt-g state.single loop.until_no_eval name=test.echo expected=hi args='[hi]'
    """
    if opts["test"]:
        return would_change(name, f'Would have waited for "{name}" to produce "{expected}".')
    if name not in functions:
        return failed(name, f'Module.function "{name}" is unavailable.')
    compare = _comparison(compare_operator)
    if compare is None:
        return failed(name, f'Invalid operator "{compare_operator}" supplied.')
    time.sleep(init_wait)
    ends = time.monotonic() + timeout
    attempts = 0
    while time.monotonic() < ends:
        attempts += 1
        # Third-party code: its exception is the reason for this state's failure.
        try:
            result = call(name, *(args or ()), **(kwargs or {}))
        except Exception as exc:
            return failed(name, f"Exception occurred while executing {name}: {type(exc)}:{exc}")
        if compare(result, expected):
            return as_wanted(name, f"Call provided the expected results in {attempts} attempts")
        time.sleep(period)
    return failed(name, f"Call did not produce the expected result after {attempts} attempts")


def _comparison(name: str) -> Callable[[Any, Any], Any] | None:
    """Return a comparison: a function of Python's `operator`, else an execution function, else None."""
    if name in operator.__all__:
        comparison: Callable[[Any, Any], Any] | None = getattr(operator, name)
    else:
        comparison = functions.get(name)
    return comparison
