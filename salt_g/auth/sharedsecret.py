"""Authentication `sharedsecret`, by one password for all users, for a front end that authenticates them."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

from salt_g.shapes import Opts


class Checker:
    """Checker that compares passwords with the setting `sharedsecret`; an empty secret matches nothing."""

    def __init__(self, opts: Opts, options: Mapping[str, Any]) -> None:
        self._secret = str(opts.get("sharedsecret") or "")

    def is_right(self, username: str, password: str) -> bool:
        """Return whether the password equals the secret."""
        return bool(self._secret) and hmac.compare_digest(
            self._secret.encode("utf-8", "surrogateescape"), password.encode("utf-8", "surrogateescape")
        )

    def groups(self, username: str) -> list[str]:
        """Return no groups."""
        return []

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return None, so that the settings decide."""
        return None
