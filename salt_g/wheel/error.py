"""Deliberate errors, for testing clients."""

from __future__ import annotations

import builtins

from salt_g import errors


def error(name: str | None = None, message: str = "") -> dict[str, str]:
    """Raise the exception `name` (SaltGError if it is unknown) with a text; return {} if `name` is None.

    Example::

        wheel.cmd("error.error", ["Exception", "This is an error."])
    """
    if name is None:
        return {}
    kind = getattr(errors, name, None) or getattr(builtins, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        kind = errors.SaltGError
    raise kind(message)
