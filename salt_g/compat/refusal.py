"""Placeholders for stock's internals, so that plugins load and only functions that use the internals fail."""

from typing import Any, NoReturn

from salt_g.errors import CommandExecutionError


def refuse(name: str, advice: str) -> type[Any]:
    """Return a class whose calls fail with this advice; it is a class because plugins derive from it."""

    def refused(cls: type[Any], *args: Any, **kwargs: Any) -> NoReturn:
        raise CommandExecutionError(f"{name} is not available under salt-g: {advice}")

    doc = f"Raise CommandExecutionError: {advice}."
    return type(name.rpartition(".")[2], (), {"__new__": refused, "__doc__": doc})
