"""What the states of Docker have in common: being offered, and telling of errors."""

from __future__ import annotations

from salt_g.api import functions
from salt_g.errors import CommandExecutionError


def offered() -> bool | tuple[bool, str]:
    """Return whether there are functions for an engine; else which package they need."""
    if "docker.version" in functions:
        return True
    return False, "'docker.version' is not available: pip install 'salt-g[docker]'"


def is_missing(exc: CommandExecutionError) -> bool:
    """Return whether the engine says that there is no such thing."""
    return str(exc).startswith("Error 404")
