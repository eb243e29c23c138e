"""Error handling shared by the MySQL states."""

from __future__ import annotations

from salt_g.api import functions, scratch
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed

#: Context key under which `modules/mysql` stores the last error.
_ERROR = "mysql.error"


def needs(function: str) -> bool | tuple[bool, str]:
    """Return the value of `__virtual__`: whether this `mysql` function is available, or why not."""
    if function in functions:
        return True
    return False, "mysql module could not be loaded. Install it with: pip install 'salt-g[mysql]'"


def forget() -> None:
    """Discard errors from before this state."""
    scratch.pop(_ERROR, None)


def refusal() -> str | None:
    """Return the last error and clear it."""
    returned: str | None = scratch.pop(_ERROR, None)
    return returned


def in_brackets() -> str:
    """Return the last error in brackets, to append to a comment, and clear it."""
    returned = refusal()
    return f" ({returned})" if returned else ""


def unanswered(name: str) -> StateReturn | None:
    """Return the result of a state whose query failed, or None if it succeeded."""
    returned = refusal()
    return failed(name, returned) if returned else None
