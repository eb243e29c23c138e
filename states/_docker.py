"""Availability check and error handling shared by the Docker states."""

from __future__ import annotations

from salt_g.api import functions
from salt_g.errors import CommandExecutionError


def offered() -> bool | tuple[bool, str]:
    """Return the value of `__virtual__`: whether the Docker functions are available, or what to install."""
    if "docker.version" in functions:
        return True
    return False, "'docker.version' is not available: pip install 'salt-g[docker]'"


def is_missing(exc: CommandExecutionError) -> bool:
    """Return whether the engine reports that the object does not exist."""
    return str(exc).startswith("Error 404")
