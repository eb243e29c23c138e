"""Error handling shared by the RabbitMQ states, whose queries and changes can all fail with a reason."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec

from salt_g.api import functions
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed

P = ParamSpec("P")


def needs(function: str) -> bool | tuple[bool, str]:
    """Return the value of `__virtual__`: whether this `rabbitmq` function is available, or why not."""
    if function in functions:
        return True
    return False, "Command not found: rabbitmqctl (package rabbitmq-server)"


def refusals_as_results(state: Callable[P, StateReturn]) -> Callable[P, StateReturn]:
    """Decorate a state, whose first argument is `name`, so that a refusal becomes its result."""

    @functools.wraps(state)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> StateReturn:
        try:
            return state(*args, **kwargs)
        except CommandExecutionError as exc:
            return failed(str(args[0] if args else kwargs["name"]), f"Error: {exc}")

    return guarded
