"""One entry of apt's repository lists, in either format."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class Source:
    """Content of an entry; one in the one-line format has a single type, URI and suite.

    `signedby` is a path (or a key), '' for none; `trusted` is None if not set; `options` are the other
    options or fields as written.
    """

    types: list[str]
    uris: list[str]
    suites: list[str]
    comps: list[str] = dataclasses.field(default_factory=list)
    architectures: list[str] = dataclasses.field(default_factory=list)
    signedby: str = ""
    trusted: bool | None = None
    disabled: bool = False
    comment: str = ""
    options: dict[str, str] = dataclasses.field(default_factory=dict)

    def serves(self, kind: str, uri: str, suite: str) -> bool:
        """Return whether this entry provides this type and suite from this URI."""
        uris = [each.rstrip("/") for each in self.uris]
        return kind in self.types and uri.rstrip("/") in uris and suite in self.suites


def read_bool(text: object) -> bool:
    """Parse apt's words for yes and no into a bool; raise ValueError for other words."""
    word = str(text).lower()
    if word in ("yes", "true", "with", "on", "enable", "1"):
        return True
    if word in ("no", "false", "without", "off", "disable", "0"):
        return False
    raise ValueError(f"{text!r} is neither yes nor no")
