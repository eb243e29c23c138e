"""Retries of a chunk until it has the wanted result.

Shapes: `retry` is True or {attempts, until, interval, splay}; interval and splay in whole
seconds. Values of the wrong type are replaced by the defaults; False disables retries.
Source: conformance cases `run/retry`, `run/retry-test`.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.shapes import StateReturn

log = logging.getLogger(__name__)

#: Type of each key; a bool counts as a number here, as in stock.
_TYPES: dict[str, type] = {"attempts": int, "until": bool, "interval": int, "splay": int}


class Retry(NamedTuple):
    """Number of attempts, their interval, and the result that ends them."""

    attempts: int = 2
    until: bool = True
    interval: int = 30
    splay: int = 0

    @classmethod
    def from_argument(cls, argument: Any) -> Retry:
        """Parse a chunk's `retry` argument."""
        if argument is False:
            return cls(attempts=0)
        if not isinstance(argument, dict):
            return cls()
        for key in _TYPES:
            if key in argument and not isinstance(argument[key], _TYPES[key]):
                log.warning(
                    "retry %s: %r is not %s, using the default", key, argument[key], _TYPES[key].__name__
                )
        return cls(**{key: argument[key] for key in _TYPES if isinstance(argument.get(key), _TYPES[key])})

    @property
    def plan(self) -> str:
        """Comment for test mode."""
        return (
            f"The state would be retried every {self.interval} seconds "
            f"(with a splay of up to {self.splay} seconds) "
            f"a maximum of {self.attempts} times or until a result of {self.until} is returned"
        )


def call_with_retry(
    call: Callable[[], StateReturn],
    retry: Retry,
    *,
    sleep: Callable[[float], None],
    is_final: Callable[[StateReturn], bool] = lambda result: False,
) -> StateReturn:
    """Call until the wanted result or the last attempt; combine comments and add up durations.

    A result for which `is_final` is true is returned unchanged, without the earlier attempts.
    """
    result = call()
    said: list[str] = []
    first_start, waited = result.get("start_time"), 0.0
    for attempt in range(1, retry.attempts):
        if result["result"] == retry.until or is_final(result):
            break
        said.append(
            f'Attempt {attempt}: Returned a result of "{result["result"]}", '
            f'with the following comment: "{result["comment"]}"'
        )
        # Negative values would raise an error in `sleep` and `randint`, and end the whole run.
        interval = max(0, retry.interval) + random.randint(0, max(0, retry.splay))
        log.info("the result is not %s, retrying the state in %s s", retry.until, interval)
        sleep(interval)
        waited += result.get("duration", 0.0) + interval * 1000
        result = call()
    if said and not is_final(result):
        result["comment"] = "\n".join([*said, result["comment"] or ""])
        result["duration"] = result.get("duration", 0.0) + waited
        if first_start is not None:
            result["start_time"] = first_start
    return result
