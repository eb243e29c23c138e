"""Kinds of sources: paths, `salt://` and network URLs."""

from __future__ import annotations

import re

#: Schemes of sources that are fetched over the network and whose content must be verified.
REMOTE = ("http", "https", "ftp", "swift", "s3")

#: User and password in a URL. A password that is not percent-encoded ends at the last `@`.
_LOGIN = re.compile(r"(https?|ftps?)://(?:[^/@:\s]*:\S*|[^/\s]*)@", re.IGNORECASE)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def scheme_of(url: str) -> str:
    """Return the scheme of a URL in lower case, or '' for a path."""
    found = _SCHEME.match(url)
    return found.group(1).lower() if found else ""


def is_remote(url: str) -> bool:
    """Return whether a source is fetched over the network."""
    return scheme_of(url) in REMOTE


def local_part(url: str) -> str:
    """Return the path of a `file://` URL; return a path unchanged."""
    return url.removeprefix("file://")


def without_password(url: str) -> str:
    """Return a URL without user and password, for messages; a password may have `/` and `@`."""
    return _LOGIN.sub(r"\1://<redacted>@", url)
