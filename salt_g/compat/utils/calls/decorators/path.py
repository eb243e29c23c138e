"""Stock's `salt.utils.decorators.path`: decorators of functions that need a program."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from salt_g.compat.utils.host import path
from salt_g.errors import CommandNotFound

_Function = Callable[..., Any]


def which(exe: str) -> Callable[[_Function], _Function]:
    """Refuse calls while a program is missing."""
    return which_bin((exe,))


def which_bin(exes: Sequence[str]) -> Callable[[_Function], _Function]:
    """Refuse calls unless at least one of these programs exists."""

    def decorated(function: _Function) -> _Function:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            if path.which_bin(list(exes)) is None:
                raise CommandNotFound(f"{function.__name__} needs {' or '.join(map(repr, exes))}: not found")
            return function(*args, **kwargs)

        return called

    return decorated


__all__ = ["which", "which_bin"]
