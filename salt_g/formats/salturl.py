"""Parser and writer of `salt://` URLs.

`urllib` would cut paths at `?` and `#`, which are legal in file names. Shapes: `salt://path?saltenv=env`; a
path that begins with `|` is taken literally. `files/client.py` resolves a URL to a file.
"""

from __future__ import annotations

from typing import NamedTuple

PREFIX = "salt://"
_QUERY = "?saltenv="


class SaltUrl(NamedTuple):
    """Parts of a `salt://` URL; `saltenv` is '' if the URL has none."""

    path: str
    saltenv: str = ""

    def __str__(self) -> str:
        return create(self.path, self.saltenv)


def is_salt_url(url: object) -> bool:
    """Return whether a source is a `salt://` URL."""
    return isinstance(url, str) and url.startswith(PREFIX)


def parse(url: str) -> SaltUrl:
    """Parse a URL, or a bare path."""
    path = url.removeprefix(PREFIX)
    if path.lstrip("/").startswith("|"):
        return SaltUrl(path.lstrip("/")[1:].lstrip("/"))
    if "?env=" in path:  # An old syntax, whose environment is ignored.
        return SaltUrl(path.split("?env=", 1)[0].lstrip("/"))
    path, _, saltenv = path.partition(_QUERY)
    return SaltUrl(path.lstrip("/"), saltenv)


def create(path: str, saltenv: str = "") -> str:
    """Return the URL of a path; without `saltenv`, a path with `?` is escaped, so that it has no query."""
    if saltenv:
        return f"{PREFIX}{path}{_QUERY}{saltenv}"
    return f"{PREFIX}|{path}" if "?" in path else f"{PREFIX}{path}"
