"""Deliberate failures, for testing how failures of runners are shown."""

from __future__ import annotations

import builtins

from salt_g import errors


def error(name: str | None = None, message: str = "") -> dict[str, str]:
    """Raise the exception `name` with `message`; without a name return {}.

    Example::

        salt-g run error.error name=ValueError message='This is an error.'
    """
    if name is None:
        return {}
    raise _class(name)(message)


def _class(name: str) -> type[BaseException]:
    """Return an exception class of salt-g or Python, RuntimeError for a name that is neither."""
    found = getattr(errors, name, None) or getattr(builtins, name, None)
    is_class = isinstance(found, type) and issubclass(found, Exception)
    return found if is_class and found is not None else RuntimeError
