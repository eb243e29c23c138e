"""Placeholders for stock's internals, so that a plugin loads and only the function that needs them fails."""

from typing import Any, NoReturn

from salt_g.errors import CommandExecutionError


def refuse(name: str, advice: str) -> type[Any]:
    """Return a class that refuses each call and says what to do; plugins also derive classes from it."""

    def refused(cls: type[Any], *args: Any, **kwargs: Any) -> NoReturn:
        raise CommandExecutionError(f"{name} is not available under salt-g: {advice}")

    doc = f"Raise CommandExecutionError: {advice}."
    return type(name.rpartition(".")[2], (), {"__new__": refused, "__doc__": doc})
