"""Salt Resource Names: `type:id`, the name of something that a minion manages.

Why its own file: masters, minions, matchers and types of resources read and check the same names.
Shapes: an SRN is split at its first colon, the id may hold more of them. An id is 1 to 128 ASCII
characters of `A-Z a-z 0-9 _ . : @ + -`, does not begin with `-` or `.` and holds no `..`, so that
it means nothing in paths, globs and tags; a type is a Python package's name in lower case.
Errors: TargetError, whose text says what is wrong with the name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from salt_g.errors import TargetError

#: Longest id and longest type, in characters.
MAX_ID = 128
MAX_TYPE = 64

_TYPE = re.compile(r"[a-z][a-z0-9_]*\Z")
_ID = re.compile(r"(?!.*\.\.)[A-Za-z0-9_:@+][A-Za-z0-9_.:@+-]*\Z")

#: Words of compound targets, and what they take for an engine and its pattern.
_OPERATORS = ("and", "or", "not", "(", ")")
_ENGINE_WORD = re.compile(r"(?:[A-Z]|[GIJP].)@")


class Srn(NamedTuple):
    """The parts of an SRN; `str()` puts them together."""

    type: str
    id: str

    def __str__(self) -> str:
        return f"{self.type}:{self.id}"


def parse(text: object) -> Srn:
    """Return the checked parts of `type:id`; raises TargetError."""
    if not isinstance(text, str) or ":" not in text:
        raise TargetError(f"{_shown(text)} is no resource name; write type:id, as in ssh:web-01")
    kind, _, name = text.partition(":")
    return Srn(check_type(kind), check_id(name))


def check_type(kind: object) -> str:
    """Return a type of resources; raises TargetError when it cannot be one."""
    if isinstance(kind, str) and len(kind) <= MAX_TYPE and _TYPE.match(kind):
        return kind
    raise TargetError(
        f"{_shown(kind)} is no type of resources; one has a-z, 0-9 and _, begins with a letter"
        f" and has {MAX_TYPE} characters at most"
    )


def check_id(name: object) -> str:
    """Return the id of a resource; raises TargetError when it cannot be one.

    A whole number (of YAML) becomes its text.
    """
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if isinstance(name, str) and len(name) <= MAX_ID and _ID.match(name):
        if why := misread(name):
            raise TargetError(f"{_shown(name)} cannot be the id of a resource; targets misread it: {why}")
        return name
    raise TargetError(
        f"{_shown(name)} cannot be the id of a resource; one has A-Z, a-z, 0-9 and _.:@+-, does not begin"
        f" with - or ., holds no .. and has {MAX_ID} characters at most"
    )


def misread(id: str) -> str:
    """Return why a target would read an id as something else, '' when it reads it as that id.

    New keys and names of resources are refused for it; a key that is accepted already goes on.
    """
    if id in _OPERATORS:
        return f"{id!r} combines targets"
    if _ENGINE_WORD.match(id):
        return f"{id.partition('@')[0]}@ begins another kind of target"
    return "its last character is a dot" if id.endswith(".") else ""


def _shown(name: object) -> str:
    """Return a name for a message; it comes from pillar or from a peer and may be anything."""
    text = ascii(name)
    return text if len(text) <= 100 else f"{text[:100]}…"
