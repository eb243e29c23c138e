"""Errors of functions for a host, in the forms of stock's salt-ssh.

In stock, a call by a template or wrapper runs `salt-call` on the host, so its error text begins with the
function. Errors of calls between functions, and of calls by states, keep their texts. Wrappers themselves run
on this machine, so their errors are a text and not the result of a command.
"""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError, NoSuchFunction

#: Whether the running function was called by a template or a wrapper.
_is_inside: contextvars.ContextVar[bool] = contextvars.ContextVar("is_inside", default=False)
#: Whether the running function was called by a user's wrapper.
_in_wrapper: contextvars.ContextVar[bool] = contextvars.ContextVar("in_wrapper", default=False)
#: Modules that stock's salt-ssh provides as wrappers, in addition to users' wrappers.
_WRAPPED = frozenset(
    ("config", "defaults", "grains", "log", "mine", "pillar", "publish", "saltcheck", "slsutil")
    + ("ssh_pki", "state", "x509")
)
#: Functions of `ssh_pki` and `x509` that run on this machine in stock's salt-ssh, too.
_RUN_HERE = frozenset(
    f"{module}.{function}"
    for module in ("ssh_pki", "x509")
    for function in ("certificate_managed_wrapper", "create_certificate", "get_signing_policy")
)
#: Attribute that marks users' wrappers.
_MARK = "__is_wrapper__"


class HostFunctionFailed(CommandExecutionError):
    """Raised when a function called by a template or wrapper fails; the message names the function."""


def named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function or, for a template or wrapper, a variant whose CommandExecutionErrors name it."""
    if _is_inside.get() or not (_in_wrapper.get() or (api.is_running() and api.current().in_template)):
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        token = _is_inside.set(True)
        try:
            return function(*args, **kwargs)
        except CommandExecutionError as exc:
            raise HostFunctionFailed(f"Error running '{name}': {exc}") from exc
        finally:
            _is_inside.reset(token)

    return call


def as_wrapper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a wrapper in which errors of the host's functions begin with the function's name."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        token = _in_wrapper.set(True)
        try:
            return function(*args, **kwargs)
        finally:
            _in_wrapper.reset(token)

    setattr(call, _MARK, True)
    return call


def wrapper_error(name: str, function: Callable[..., Any] | None, exc: BaseException) -> str | None:
    """Return the text of a wrapper's own error, which is the wrapper's result; None for the host's errors."""
    is_users = getattr(function, _MARK, False)
    if isinstance(exc, TypeError) and (is_users or name.partition(".")[0] in _WRAPPED):
        return f"TypeError encountered executing {name}: {exc}"
    if not is_users and name not in _RUN_HERE:
        return None
    if isinstance(exc, (HostFunctionFailed, NoSuchFunction, SystemExit)):
        return None
    return f"An Exception occurred while executing {name}: {exc}"
