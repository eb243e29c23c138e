"""Authentication `auto`, which accepts every password, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.shapes import Opts


class Checker:
    """Checker that accepts every user with every password."""

    def __init__(self, opts: Opts, options: Mapping[str, Any]) -> None:
        pass

    def is_right(self, username: str, password: str) -> bool:
        """Return True."""
        return True

    def groups(self, username: str) -> list[str]:
        """Return no groups."""
        return []

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return None, so that the settings decide."""
        return None
