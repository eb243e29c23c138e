"""Refuse early when a function needs a program that is not on this machine.

Why its own file: the text is stock's, and users look for it; several modules give it.
"""

from __future__ import annotations

from salt_g.api import call
from salt_g.errors import CommandNotFound


def require(program: str) -> None:
    """Raise CommandNotFound unless `program` is in the path."""
    if not call("cmd.which", program):
        raise CommandNotFound(f"The '{program}' binary was not found in $PATH.")
