"""Errors of functions that templates call for a host name the function, as under stock's salt-ssh.

There a template's call is one of `salt-call` on the host, whose error text begins with the function. Calls
between functions, and those of states, keep their texts.
"""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError

#: Whether a function that a template has called runs.
_is_inside: contextvars.ContextVar[bool] = contextvars.ContextVar("is_inside", default=False)


def named_in_templates(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose CommandExecutionError names it, if a template is looking it up."""
    if _is_inside.get() or not (api.is_running() and api.current().in_template):
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        token = _is_inside.set(True)
        try:
            return function(*args, **kwargs)
        except CommandExecutionError as exc:
            raise CommandExecutionError(f"Error running '{name}': {exc}") from exc
        finally:
            _is_inside.reset(token)

    return call
