"""Finding: one checked item, its status, and advice if something is wrong."""

from __future__ import annotations

from typing import NamedTuple

#: Statuses. A warning is about trouble that may come later, an error about trouble now.
GOOD, WARNING, ERROR = "ok", "warning", "error"


class DoctorFinding(NamedTuple):
    """Finding: `about` is the checked item, `text` the result, `advice` what to do ("" if all is well)."""

    level: str
    about: str
    text: str
    advice: str = ""


def good(about: str, text: str) -> DoctorFinding:
    """Return a finding without a problem."""
    return DoctorFinding(GOOD, about, text)


def warning(about: str, text: str, advice: str) -> DoctorFinding:
    """Return a finding for a problem that can occur later."""
    return DoctorFinding(WARNING, about, text, advice)


def error(about: str, text: str, advice: str) -> DoctorFinding:
    """Return a finding for a problem that exists now."""
    return DoctorFinding(ERROR, about, text, advice)
