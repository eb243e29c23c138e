"""Digests of chunks, changes, files and pillar under a key of this machine.

A digest without a key would reveal short values, such as passwords, to anyone who tries them all; the key
never leaves the machine. It also signs plans, so a plan that was edited, or made elsewhere, is recognized.
Shapes: the key is 32 bytes in `cachedir/plan.key` (0600).
Errors: OSError if the key can be neither read nor created.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.process.disk import make_private_directory, write_first

#: Name of the key file in the cache directory, and length of the key (bytes).
KEY_FILE = "plan.key"
KEY_BYTES = 32
#: Length of a digest, and of the digest of one part of changes (hexadecimal digits).
_LENGTH, _LEAF = 32, 12


class Digests:
    """Digests under one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, *values: Any) -> str:
        """Return the digest of nested data; the order of keys in mappings does not count."""
        return self._hex(values)[:_LENGTH]

    def leaves(self, changes: Any) -> list[str]:
        """Return the digests of the parts of changes; each line that a diff adds or removes is a part."""
        counts: dict[str, int] = {}
        found = []
        for leaf in leaves_of(changes) if changes else ():
            digest = self._hex(leaf)
            # Number equal lines, so that each counts as a separate part.
            counts[digest] = counts.get(digest, 0) + 1
            found.append(self._hex((digest, counts[digest]))[:_LEAF])
        return found

    def is_signed(self, value: Mapping[str, Any]) -> bool:
        """Return whether the `mac` of a mapping matches its other values."""
        return hmac.compare_digest(str(value.get("mac")), self.signature(value))

    def signature(self, value: Mapping[str, Any]) -> str:
        """Return the correct `mac` for the other values of a mapping."""
        return self._hex({key: item for key, item in value.items() if key != "mac"})

    def _hex(self, value: Any) -> str:
        text = json.dumps(_plain(value), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hmac.new(self._key, text.encode("ascii"), hashlib.sha256).hexdigest()


def machine_digests(cachedir: str) -> Digests:
    """Return the digests of this machine; create its key if it does not exist yet."""
    path = os.path.join(cachedir, KEY_FILE)
    key = _read(path)
    if len(key) != KEY_BYTES:
        make_private_directory(cachedir)
        try:
            write_first(path, os.urandom(KEY_BYTES))
        except FileExistsError:
            pass  # Another call was faster.
        key = _read(path)
    if len(key) != KEY_BYTES:
        raise OSError(
            0, f"has {len(key)} bytes, not {KEY_BYTES}; remove it, which invalidates all existing plans", path
        )
    return Digests(key)


def leaves_of(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield (path, value) of each leaf of nested data; of a diff, each added or removed line."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from leaves_of(item, (*path, str(key)))
    elif isinstance(value, (list, tuple)) and value:
        for item in value:
            yield from leaves_of(item, (*path, "[]"))
    elif isinstance(value, str) and is_diff(value):
        for line in changed_lines(value):
            yield path, line
    else:
        yield path, value


def is_diff(text: str) -> bool:
    """Return whether text is a unified diff."""
    return text.startswith(("--- ", "---\n")) and "\n+++" in text


def changed_lines(diff: str) -> list[str]:
    """Return the lines that a unified diff adds or removes, with their sign."""
    return [line for line in _hunks(diff) if line[:1] in ("+", "-")]


def _hunks(diff: str) -> list[str]:
    """Return the lines of a diff without the header that names its files."""
    lines = diff.splitlines()
    return lines[next((number for number, line in enumerate(lines) if line.startswith("@@")), 2) :]


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(KEY_BYTES + 1)
    except FileNotFoundError:
        return b""


def _plain(value: Any) -> Any:
    """Return nested data in types that JSON has, with the file names removed from diffs."""
    if isinstance(value, Mapping):
        return {_name(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item) for item in value), key=repr)
    if isinstance(value, str):
        return "\n".join(_hunks(value)) if is_diff(value) else str(value)
    if isinstance(value, bytes):
        return f"bytes {value.hex()}"
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return f"{type(value).__name__} {value}"


def _name(key: Any) -> str:
    return key if isinstance(key, str) else f"{type(key).__name__} {key}"
