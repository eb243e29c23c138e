"""URLs with and without credentials."""

from __future__ import annotations

import re


def with_login(url: str, user: str | None, password: str | None) -> str:
    """Return a URL with credentials, as git stores it."""
    if user is None:
        return url
    scheme, _, rest = url.partition("://")
    login = f"{user}:{password}" if password else user
    return f"{scheme}://{login}@{rest}"


def redacted(url: str | None) -> str:
    """Return a URL for a comment, without credentials."""
    return re.sub(r"(https?://)[^/\s@]*@", r"\1<redacted>@", str(url))
