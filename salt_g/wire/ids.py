"""Validation of minion ids.

Ids become file names, topics and parts of event tags, so there is one check for all of these uses.
Source: wire specification, sections 5.5 and 6.5.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.errors import WireError
from salt_g.resource_model.srn import misread

__all__ = ["RULE", "check_id", "is_valid_id", "misread"]

#: Letters are ASCII only: two ids that look alike are never different minions.
_ID = re.compile(r"[A-Za-z0-9_@:][A-Za-z0-9_@:.-]{0,252}")
#: The same rule in words, for messages.
RULE = "write 1 to 253 of A-Z a-z 0-9 _ @ : . -; the first must not be a dot or a dash"


def is_valid_id(text: Any) -> bool:
    """Return whether a value is a valid minion id: 1 to 253 characters, none of them special in paths."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def check_id(value: Any) -> str:
    """Return a valid id; raises WireError with the refusal that peers expect."""
    if not isinstance(value, str):
        shown = str(value)[:64]
        raise WireError("an id is not text", answer=f"bad load: id {shown} is not a string")
    if "\0" in value:
        raise WireError("an id contains NUL", answer="bad load: id contains a null byte")
    if not is_valid_id(value):
        raise WireError(f"{value[:64]!r} cannot be an id")
    return value
