"""Classification of sources: paths, `salt://` and network URLs."""

from __future__ import annotations

import re

#: Schemes of sources that are fetched over the network and whose content must be verified.
REMOTE = ("http", "https", "ftp", "swift", "s3")

_WORD = re.compile(r"\S+")
_BEGINNING = re.compile(r"(?:https?|ftps?)://", re.IGNORECASE)
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
    """Return a URL, or a text that contains URLs, with user and password redacted, for messages.

    A password that is not percent-encoded can contain `/` and `@`, so it extends to the last `@` of the word.
    """
    return _WORD.sub(_without_login, url) if "://" in url and "@" in url else url


def _without_login(word: re.Match[str]) -> str:
    text = word[0]
    last = text.rfind("@")
    for beginning in _BEGINNING.finditer(text):
        first = beginning.end()
        slash = text.find("/", first) % (len(text) + 1)
        at = text.find("@", first, slash)
        has_password = ":" in text[first : at if at >= 0 else slash]
        end = last if has_password else text.rfind("@", first, slash)
        if end >= first:
            return f"{text[:first]}<redacted>@{text[end + 1 :]}"
    return text
