"""Salt Resource Names: `type:id`, naming something that a minion manages.

Shapes: an SRN is split at its first colon; the id may contain more colons. An id is 1 to 128 ASCII
characters of `A-Z a-z 0-9 _ . : @ + -`, does not begin with `-` or `.` and contains no `..`, so that it has
no special meaning in paths, globs and tags; a type is a valid Python package name in lower case.
Errors: TargetError with the reason why the name is invalid.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from salt_g.errors import TargetError

#: Maximum length of an id and of a type, in characters.
MAX_ID = 128
MAX_TYPE = 64

_TYPE = re.compile(r"[a-z][a-z0-9_]*\Z")
_ID = re.compile(r"(?!.*\.\.)[A-Za-z0-9_:@+][A-Za-z0-9_.:@+-]*\Z")

#: Operators of compound targets, and the syntax of an engine with its pattern.
_OPERATORS = ("and", "or", "not", "(", ")")
_ENGINE_WORD = re.compile(r"(?:[A-Z]|[GIJP].)@")


class Srn(NamedTuple):
    """Parts of an SRN; `str()` joins them."""

    type: str
    id: str

    def __str__(self) -> str:
        return f"{self.type}:{self.id}"


def parse(text: object) -> Srn:
    """Return the validated parts of `type:id`; raises TargetError."""
    if not isinstance(text, str) or ":" not in text:
        raise TargetError(f"{_shown(text)} is not a resource name; write type:id, as in ssh:web-01")
    kind, _, name = text.partition(":")
    return Srn(check_type(kind), check_id(name))


def check_type(kind: object) -> str:
    """Return a valid resource type; raise TargetError for an invalid one."""
    if isinstance(kind, str) and len(kind) <= MAX_TYPE and _TYPE.match(kind):
        return kind
    raise TargetError(
        f"{_shown(kind)} is not a resource type; use a-z, 0-9 and _, beginning with a letter"
        f", at most {MAX_TYPE} characters"
    )


def check_id(name: object) -> str:
    """Return a valid resource id; raise TargetError for an invalid one.

    A whole number (from YAML) is converted to text.
    """
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if isinstance(name, str) and len(name) <= MAX_ID and _ID.match(name):
        if why := misread(name):
            raise TargetError(f"{_shown(name)} cannot be the id of a resource; targets misread it: {why}")
        return name
    raise TargetError(
        f"{_shown(name)} cannot be the id of a resource; use A-Z, a-z, 0-9 and _.:@+-, not beginning"
        f" with - or ., without .., at most {MAX_ID} characters"
    )


def misread(id: str) -> str:
    """Return why a target would misinterpret an id, or '' if it would not.

    New keys and resource names with such ids are refused; keys already accepted remain valid.
    """
    if id in _OPERATORS:
        return f"{id!r} combines targets"
    if _ENGINE_WORD.match(id):
        return f"{id.partition('@')[0]}@ begins another kind of target"
    return "its last character is a dot" if id.endswith(".") else ""


def _shown(name: object) -> str:
    """Return a name for a message: any value, from pillar or a peer, as short ASCII text."""
    text = ascii(name)
    return text if len(text) <= 100 else f"{text[:100]}…"
