"""Stock's `salt.utils.timeout`: waiting for a condition."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def wait_for(
    func: Callable[..., Any],
    timeout: float = 10,
    step: float = 1,
    default: Any = None,
    func_args: Sequence[Any] = (),
    func_kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """Call a function every `step` s until it returns a true value, and return that value.

    Return `default` after `timeout` s.
    """
    deadline = time.monotonic() + timeout
    while True:
        value = func(*func_args, **(func_kwargs or {}))
        if value:
            return value
        left = deadline - time.monotonic()
        if left <= 0:
            return default
        time.sleep(min(step or 1, left))


__all__ = ["wait_for"]
