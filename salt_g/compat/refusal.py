"""Placeholders for stock's internals, so that a plugin loads and only the function that needs them fails."""

from collections.abc import Callable
from typing import Any

from salt_g.errors import CommandExecutionError


def refuse(name: str, advice: str) -> Callable[..., Any]:
    """Return a function that refuses each call and says what to do."""

    def refused(*args: Any, **kwargs: Any) -> Any:
        raise CommandExecutionError(f"{name} is not available under salt-g: {advice}")

    refused.__name__ = refused.__qualname__ = name.rpartition(".")[2]
    refused.__doc__ = f"Raise CommandExecutionError: {advice}."
    return refused
