"""Parser of `source_hash`: a hash, `type=hash`, or a file of hashes.

Shapes: a SourceSum has the hash type and the hex digest in lower case; `as_dict` returns stock's
`{"hash_type": ..., "hsum": ...}`.
Errors: CommandExecutionError with stock's text for an expression that is not a hash.
Source: stock docs of `file.managed`, argument `source_hash`.
"""

from __future__ import annotations

import os
import re
import string
from collections.abc import Iterable
from typing import NamedTuple

from salt_g.errors import CommandExecutionError
from salt_g.formats.urls import REMOTE, without_password

#: Hash types and the lengths of their hex digests, in characters.
LENGTHS = {"sha512": 128, "sha384": 96, "sha256": 64, "sha224": 56, "sha1": 40, "md5": 32}
#: URL schemes supported for hash files.
SCHEMES = ("salt", "file", *REMOTE)

#: {length: hash type}
TYPE_OF_LENGTH = {length: name for name, length in LENGTHS.items()}
_BEFORE_NAME = string.whitespace + "\\/*"


class SourceSum(NamedTuple):
    """Required hash of a file."""

    hash_type: str
    hsum: str

    def as_dict(self) -> dict[str, str]:
        """Return the hash in stock's form, with the keys `hash_type` and `hsum`."""
        return {"hash_type": self.hash_type, "hsum": self.hsum}


class Wanted(NamedTuple):
    """Names of the file whose hash is looked up in a hash file; each can be ''.

    A line with `source_hash_name` is preferred to a line with `file_name` (the local file), followed by a
    line with `source` (a URL) and then by any other line with a hash.
    """

    source_hash_name: str = ""
    file_name: str = ""
    source: str = ""


def is_hash_file(source_hash: str) -> bool:
    """Return whether a `source_hash` is a file of hashes: an absolute path or a URL of a known scheme."""
    return os.path.isabs(source_hash) or (source_hash.partition("://")[0] in SCHEMES and "://" in source_hash)


def parse_expression(source_hash: str) -> SourceSum:
    """Parse `<hash>` or `<type>=<hash>`; raises CommandExecutionError."""
    if not isinstance(source_hash, str) or "://" in source_hash:
        raise CommandExecutionError(invalid_format(source_hash))
    hash_type, found, hsum = (part.strip() for part in source_hash.partition("="))
    if not found:
        hash_type, hsum = TYPE_OF_LENGTH.get(len(source_hash), ""), source_hash
        if not hash_type or set(source_hash) - set(string.hexdigits):
            raise CommandExecutionError(invalid_format(source_hash))
    _check_type(hash_type, hsum)
    return SourceSum(hash_type, hsum.lower())


def find_in_lines(lines: Iterable[str], wanted: Wanted, *, hash_type: str = "") -> SourceSum | None:
    """Return the best match in a hash file's lines, or None if no line has a hash of a known length.

    `hash_type` restricts the accepted hashes; '' or an unknown type accepts all.
    """
    best: dict[int, SourceSum] = {}
    for line in map(str.strip, lines):
        found = _hash_in(line, hash_type)
        if found is not None:
            best.setdefault(_rank(line, wanted), found)
    return best[min(best)] if best else None


def invalid_format(source_hash: object) -> str:
    """Return the error message for a `source_hash` that is neither a hash nor a file."""
    lengths = ", ".join(f"{TYPE_OF_LENGTH[length]} ({length})" for length in sorted(TYPE_OF_LENGTH))
    return (
        f"Source hash {without_password(str(source_hash))} format is invalid. The supported formats are: "
        "1) a hash, 2) an expression in the format <hash_type>=<hash>, or "
        "3) either a path to a local file containing hashes, or a URI of "
        "a remote hash file. Supported protocols for remote hash files "
        f"are: {', '.join(SCHEMES)}. The hash may also not be of a valid length, the "
        f"following are supported hash types and lengths: {lengths}."
    )


def _check_type(hash_type: str, hsum: str) -> None:
    if hash_type not in LENGTHS:
        raise CommandExecutionError(
            f"Invalid hash type '{hash_type}'. Supported hash types are: {', '.join(LENGTHS)}. "
            f"Either remove the hash type and simply use '{hsum}' as the "
            "source_hash, or change the hash type to a supported type."
        )
    if len(hsum) not in TYPE_OF_LENGTH:
        raise CommandExecutionError(invalid_format(f"{hash_type}={hsum}"))
    if len(hsum) != LENGTHS[hash_type]:
        raise CommandExecutionError(
            f"Invalid length ({len(hsum)}) for hash type '{hash_type}'. Either remove the hash type and "
            f"simply use '{hsum}' as the source_hash, or change the hash type to "
            f"'{TYPE_OF_LENGTH[len(hsum)]}'"
        )


def _hash_in(line: str, hash_type: str) -> SourceSum | None:
    length = str(LENGTHS.get(hash_type, "")) or f"{min(TYPE_OF_LENGTH)},{max(TYPE_OF_LENGTH)}"
    match = re.search(rf"(?i)(?<![a-z0-9])([a-f0-9]{{{length}}})(?![a-z0-9])", line)
    if match is None or len(match[1]) not in TYPE_OF_LENGTH:
        return None
    return SourceSum(TYPE_OF_LENGTH[len(match[1])], match[1].lower())


def _rank(line: str, wanted: Wanted) -> int:
    """Return how well a line matches the wanted file, from 0 (best) to 3 (no match)."""
    if wanted.source_hash_name and _names(
        line, wanted.source_hash_name, wanted.source_hash_name, string.whitespace
    ):
        return 0
    if wanted.file_name and _names(line, wanted.file_name, os.path.basename(wanted.file_name), _BEFORE_NAME):
        return 1
    if wanted.source and _names(line, wanted.source, _last_part(wanted.source), _BEFORE_NAME):
        return 2
    return 3


def _names(line: str, full: str, last: str, before: str) -> bool:
    """Return whether a line ends in `last` after a character of `before`, or begins with the word `full`."""
    if line.endswith(last):
        return len(line) > len(last) and line[-len(last) - 1] in before
    return line.startswith(full) and line[len(full) : len(full) + 1].isspace()


def _last_part(url: str) -> str:
    path = re.sub(r"[?#].*$", "", url)
    return os.path.basename(path.rstrip("/")) if path.count("/") <= 2 else os.path.basename(path)
