"""What kind of place a source is."""

from __future__ import annotations

import re

#: Schemes of sources that are fetched over the network, and whose content must be verified.
REMOTE = ("http", "https", "ftp", "swift", "s3")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def scheme_of(url: str) -> str:
    """Return the scheme of a URL in lower case, '' for a path."""
    found = _SCHEME.match(url)
    return found.group(1).lower() if found else ""


def local_part(url: str) -> str:
    """Return the path of a `file://` URL; a path is its own."""
    return url.removeprefix("file://") if url.startswith("file://") else url
