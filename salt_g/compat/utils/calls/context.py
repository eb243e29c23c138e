"""Stock's `salt.utils.context`: names of a function's module replaced for a while."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any


@contextlib.contextmanager
def func_globals_inject(func: Callable[..., Any], **overrides: Any) -> Iterator[None]:
    """Replace global names of the function's module during the body of a `with` block."""
    names = getattr(func, "__globals__", {})
    before = {name: names[name] for name in overrides if name in names}
    names.update(overrides)
    try:
        yield
    finally:
        for name in overrides:
            del names[name]
        names.update(before)


__all__ = ["func_globals_inject"]
