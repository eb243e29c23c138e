"""One thing that was looked at: how it is, and what to do when it is not well."""

from __future__ import annotations

from typing import NamedTuple

#: How it is. A warning may hurt later, an error hurts now.
GOOD, WARNING, ERROR = "ok", "warning", "error"


class Finding(NamedTuple):
    """`about` is what was looked at, `text` what was found, `advice` what to do ("" when it is well)."""

    level: str
    about: str
    text: str
    advice: str = ""


def good(about: str, text: str) -> Finding:
    """Return that something is as it should be."""
    return Finding(GOOD, about, text)


def warning(about: str, text: str, advice: str) -> Finding:
    """Return that something may hurt later."""
    return Finding(WARNING, about, text, advice)


def error(about: str, text: str, advice: str) -> Finding:
    """Return that something does not work."""
    return Finding(ERROR, about, text, advice)
