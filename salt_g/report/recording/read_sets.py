"""Packed form of read-sets, for transfer and storage, and questions about their names.

Shapes: a read-set is `ReadNames` of `reads.py`; packed, it is its digest (16 bytes) followed by its body
(JSON compressed by zlib), which is omitted for a master that already has it. Equal sets have equal bytes.
Units: bytes.
Errors: ValueError for a packed set that is damaged or too large, InvocationError for an invalid question.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any, NamedTuple

from salt_g.errors import InvocationError
from salt_g.report.recording.read_paths import LONGEST
from salt_g.report.recording.reads import EVERYTHING, MOST, ReadNames

#: Size of a digest, maximum size of a body, and of its decompressed text (bytes).
SIZE, MAX_BODY, MAX_TEXT = 16, 256 * 1024, 4 * 1024 * 1024
#: {word in a question: kind of name}
_KINDS = {
    "pillar": "pillar",
    "grain": "grain",
    "grains": "grain",
    "function": "function",
    "mine": "mine",
}
_FORMS = "salt://PATH, pillar:KEY, grain:NAME, function:MODULE.NAME or mine:NAME"


def packed(names: ReadNames) -> bytes:
    """Pack a read-set; one that is too large is replaced by a read-set of everything."""
    body = _body(names)
    if len(body) > MAX_BODY:
        body = _body({"": dict.fromkeys(EVERYTHING, "")})
    return _digest(body) + body


def opened(data: bytes) -> tuple[bytes, bytes]:
    """Return digest and body (b'' if omitted) of a packed set; raise ValueError if it is invalid."""
    digest, body = data[:SIZE], data[SIZE:]
    if len(digest) != SIZE or len(body) > MAX_BODY:
        raise ValueError("a read-set has the wrong size")
    if body and _digest(body) != digest:
        raise ValueError("a read-set does not match its digest")
    return digest, body


def names_of(body: bytes) -> ReadNames:
    """Decode the body of a read-set; raise ValueError if it is damaged or too large."""
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(body, MAX_TEXT)
    except zlib.error as exc:
        raise ValueError(f"a read-set is damaged: {exc}") from exc
    if reader.unconsumed_tail or not reader.eof:
        raise ValueError("a read-set is too large, or cut off")
    found: Any = json.loads(text)
    if not isinstance(found, dict) or not all(isinstance(names, dict) for names in found.values()):
        raise ValueError("a read-set must be a JSON object of objects")
    if sum(map(len, found.values())) > MOST:
        raise ValueError("a read-set has too many names")
    return {
        _storable(owner): {_storable(name): _storable(digest) for name, digest in names.items()}
        for owner, names in found.items()
    }


class Question(NamedTuple):
    """Question about read names, by `exact` names and prefixes (`beginnings`); `text` is as typed.

    It covers the directories and mappings above the wanted name, whose readers have read everything in them,
    and all names below the wanted one.
    """

    text: str
    exact: tuple[str, ...]
    beginnings: tuple[str, ...]

    def covers(self, name: str) -> bool:
        """Return whether the question covers a name."""
        return name in self.exact or name.startswith(self.beginnings)


def question(text: str) -> Question:
    """Parse a question; raise InvocationError if it is invalid."""
    if text.startswith("salt://"):
        return _about_file(text)
    word, _, rest = text.partition(":")
    kind = _KINDS.get(word)
    if kind is None:
        raise InvocationError(f"cannot ask about {text!r}: write {_FORMS}")
    rest = rest.removesuffix(":*").removesuffix(".*").strip(":")
    if not rest:
        return Question(text, (kind,), (f"{kind}:",))
    if kind in ("pillar", "grain"):
        parts = rest.split(":")
        exact = (kind, *(f"{kind}:{':'.join(parts[: depth + 1])}" for depth in range(len(parts))))
        return Question(text, exact, (f"{kind}:{rest}:",))
    below = (f"{kind}:{rest}.",) if kind == "function" and "." not in rest else ()
    return Question(text, (kind, f"{kind}:{rest}"), below)


def is_broad(name: str) -> bool:
    """Return whether a name stands for everything of its kind."""
    return name in EVERYTHING


def _about_file(text: str) -> Question:
    rest = text.removeprefix("salt://")
    # As in all `salt://` URLs, the text after `|` is a literal path.
    path, mark, query = (rest[1:], "", "") if rest.startswith("|") else rest.partition("?")
    path = path.strip("/")
    saltenv = query.removeprefix("saltenv=")
    if mark and (not saltenv or saltenv == query):
        raise InvocationError(
            f"cannot ask about {text!r}: only ?saltenv=ENV can follow a path; a file with a question mark in"
            " its name is salt://|PATH"
        )
    parts = path.split("/") if path else []
    urls = ["salt://", *(f"salt://{'/'.join(parts[: depth + 1])}" for depth in range(len(parts)))]
    below = f"salt://{path}/" if path else "salt://"
    if saltenv and saltenv != "base":
        # Names below a path end with their environment, so a prefix also finds those of other environments.
        return Question(text, tuple(f"{url}?saltenv={saltenv}" for url in urls), (below,) if path else ())
    others = () if saltenv else tuple(f"{url}?" for url in urls)
    return Question(text, tuple(urls), (below, *others))


def _storable(value: Any) -> str:
    """Return text that databases accept: of limited length, without NUL or unpaired surrogates."""
    return str(value)[:LONGEST].replace("\0", "?").encode(errors="replace").decode()


def _body(names: ReadNames) -> bytes:
    text = json.dumps(names, sort_keys=True, separators=(",", ":"))
    return zlib.compress(text.encode(), 6)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=SIZE).digest()
