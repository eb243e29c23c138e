"""Stock's `salt.utils.decorators`."""

import functools
import logging
import time
from collections.abc import Callable
from typing import Any

from salt_g.errors import InvocationError

log = logging.getLogger(__name__)

_Function = Callable[..., Any]


def memoize(func: _Function) -> _Function:
    """Keep the results of a function, by the text of its arguments."""
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
    """Keep a function only if its module has these names; otherwise calls get `fallback_function`.

    A dependency may also be a boolean. The names are looked up at the call, when the module is complete.
    """
    fallback = options.get("fallback_function")

    def decorated(function: _Function) -> _Function:
        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            names = function.__globals__
            lacking = [
                name
                for name in dependencies
                if name is False or name is None or (isinstance(name, str) and not names.get(name))
            ]
            if not lacking:
                return function(*args, **kwargs)
            if fallback is not None:
                return fallback(*args, **kwargs)
            raise InvocationError(f"{function.__name__} needs {', '.join(map(str, lacking))}")

        return checked

    return decorated


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
                raise InvocationError(f"{function.__name__} takes {words} of: {', '.join(names)}")
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
    """Decorator of a function that replaces a deprecated one: the new one is called."""

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
