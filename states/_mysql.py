"""What the states of MySQL share: what the server said when it refused, and when that is the result."""

from __future__ import annotations

from salt_g.api import functions, scratch
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed

#: Where `modules/mysql` leaves what was last refused.
_ERROR = "mysql.error"


def needs(function: str) -> bool | tuple[bool, str]:
    """Return what `__virtual__` of a state says: this function of `mysql` is here, or why not."""
    if function in functions:
        return True
    return False, "mysql module could not be loaded. Install it with: pip install 'salt-g[mysql]'"


def forget() -> None:
    """Forget what was refused before this state began."""
    scratch.pop(_ERROR, None)


def refusal() -> str | None:
    """Return what was refused last, and forget it."""
    told: str | None = scratch.pop(_ERROR, None)
    return told


def in_brackets() -> str:
    """Return what was refused last as it stands behind another text, and forget it."""
    told = refusal()
    return f" ({told})" if told else ""


def unanswered(name: str) -> StateReturn | None:
    """Return the result of a state whose question was refused, None when it was answered."""
    told = refusal()
    return failed(name, told) if told else None
