"""Stock's `salt.utils.decorators`: decorators for plugins' functions."""

import functools
import inspect
import logging
import shlex
import time
from collections.abc import Callable
from typing import Any

from salt_g.compat.utils.values.versions import version_cmp
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.loader.plugin import OFFERED
from salt_g.process.command import run

log = logging.getLogger(__name__)

_Function = Callable[..., Any]
#: Time limit for a command that a function depends on (s).
_COMMAND_TIMEOUT = 60.0


def memoize(func: _Function) -> _Function:
    """Cache the results of a function by the repr of its arguments."""
    kept: dict[str, Any] = {}

    @functools.wraps(func)
    def kept_or_called(*args: Any, **kwargs: Any) -> Any:
        key = repr((args, sorted(kwargs.items())))
        if key not in kept:
            kept[key] = func(*args, **kwargs)
        return kept[key]

    return kept_or_called


def timing(function: _Function) -> _Function:
    """Log how long each call takes."""

    @functools.wraps(function)
    def timed(*args: Any, **kwargs: Any) -> Any:
        began = time.monotonic()
        try:
            return function(*args, **kwargs)
        finally:
            log.debug("%s took %.3f s", function.__name__, time.monotonic() - began)

    return timed


def depends(*dependencies: Any, **options: Any) -> Callable[[_Function], _Function]:
    """Offer a function only if its module defines these names; otherwise use `fallback_function`, if given.

    A dependency can also be a boolean or, with `retcode` or `nonzero_retcode`, a command; `version` is the
    minimum version of the named module. The loader checks them once the module is fully loaded (`OFFERED`).
    """
    fallback = options.get("fallback_function")

    def decorated(function: _Function) -> _Function:
        names = inspect.unwrap(function).__globals__
        inner = getattr(function, OFFERED, lambda: True)

        @functools.cache
        def lacking() -> list[str]:
            return [str(one) for one in dependencies if not _is_met(one, names, options)]

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if not lacking():
                return function(*args, **kwargs)
            if fallback is not None:
                return fallback(*args, **kwargs)
            raise InvocationError(f"{function.__name__} needs {', '.join(lacking())}")

        setattr(checked, OFFERED, lambda: inner() and (fallback is not None or not lacking()))
        return checked

    return decorated


def _is_met(dependency: Any, names: dict[str, Any], options: dict[str, Any]) -> bool:
    """Return whether a dependency is met in a module with these global names."""
    if "retcode" in options or "nonzero_retcode" in options:
        code = _exit_code(str(dependency))
        return (
            code == options["retcode"]
            if "retcode" in options
            else (code != 0) == bool(options["nonzero_retcode"])
        )
    if not isinstance(dependency, str):
        return dependency is True or (dependency is not False and dependency is not None)
    found = names.get(dependency)
    if not found or "version" not in options:
        return bool(found)
    version = getattr(found, "__version__", None)
    return version is not None and (version_cmp(str(version), str(options["version"])) or 0) >= 0


@functools.cache
def _exit_code(text: str) -> int:
    """Return the exit code of a command, -1 if it cannot be started."""
    try:
        return run(shlex.split(text), timeout=_COMMAND_TIMEOUT).retcode
    except (CommandExecutionError, ValueError):
        return -1


Depends = depends


def ignores_kwargs(*kwarg_names: str) -> Callable[[_Function], _Function]:
    """Drop these keyword arguments before each call."""

    def decorated(function: _Function) -> _Function:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            return function(
                *args, **{name: value for name, value in kwargs.items() if name not in kwarg_names}
            )

        return called

    return decorated


def allow_one_of(*kwarg_names: str) -> Callable[[_Function], _Function]:
    """Refuse calls with more than one of these keyword arguments."""
    return _counted(kwarg_names, range(2), "at most one")


def require_one_of(*kwarg_names: str) -> Callable[[_Function], _Function]:
    """Refuse calls without exactly one of these keyword arguments."""
    return _counted(kwarg_names, range(1, 2), "exactly one")


def _counted(names: tuple[str, ...], allowed: range, words: str) -> Callable[[_Function], _Function]:
    def decorated(function: _Function) -> _Function:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            if sum(kwargs.get(name) is not None for name in names) not in allowed:
                raise InvocationError(f"{function.__name__} accepts {words} of: {', '.join(names)}")
            return function(*args, **kwargs)

        return called

    return decorated


class is_deprecated:
    """Decorator of a deprecated function: each call logs a warning."""

    def __init__(self, module_globals: Any, version: Any = None, with_successor: str | None = None) -> None:
        self._advice = f"; use {with_successor!r}" if with_successor else ""

    def __call__(self, function: _Function) -> _Function:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            log.warning("the function %r is deprecated%s", function.__name__, self._advice)
            return function(*args, **kwargs)

        return called


class with_deprecated:
    """Decorator of a function that replaces a deprecated one; the new function is always called."""

    def __init__(
        self, module_globals: Any, version: Any = None, with_name: str | None = None, **stock: Any
    ) -> None:
        pass

    def __call__(self, function: _Function) -> _Function:
        return function


def ensure_unicode_args(function: _Function) -> _Function:
    """Decode bytes among the arguments."""
    from salt_g.compat.utils.values.data import decode

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*decode(args), **decode(kwargs))

    return called


__all__ = [
    "Depends",
    "allow_one_of",
    "depends",
    "ensure_unicode_args",
    "ignores_kwargs",
    "is_deprecated",
    "memoize",
    "require_one_of",
    "timing",
    "with_deprecated",
]
