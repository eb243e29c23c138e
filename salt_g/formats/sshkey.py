"""Parser and writer of lines in authorized_keys and known_hosts files."""

from __future__ import annotations

import base64
import binascii
import contextlib
import dataclasses
import hashlib
import re
from collections.abc import Sequence

from salt_g.errors import CommandExecutionError

#: Groups: options, key type, rest of the line. Quoted options may contain the name of a key type.
_LINE = re.compile(r"""^((?:[^"]|"(?:\\.|[^"\\])*")*?)\s?((?:sk-)?(?:ssh-|ecds)[\w@.-]+\s.+)$""")
#: Short names of key types.
_SHORT = {
    **dict.fromkeys(("r", "rsa"), "ssh-rsa"),
    **dict.fromkeys(("d", "dsa", "dss"), "ssh-dss"),
    **dict.fromkeys(("e", "ecdsa"), "ecdsa-sha2-nistp256"),
    "ed25519": "ssh-ed25519",
}
_CERTIFIED = "-cert-v01@openssh.com"
_PLAIN = ("ssh-rsa", "ssh-dss", "ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256")
_CURVES = tuple(f"ecdsa-sha2-nistp{bits}" for bits in (256, 384, 521))
_HARDWARE = ("sk-ecdsa-sha2-nistp256", "sk-ssh-ed25519")
#: Key types that can be written.
TYPES = frozenset(
    (
        *_PLAIN,
        *_CURVES,
        *(f"{kind}@openssh.com" for kind in _HARDWARE),
        *(kind + _CERTIFIED for kind in (*_PLAIN, *_CURVES, *_HARDWARE)),
    )
)


@dataclasses.dataclass(frozen=True)
class Line:
    """Line of an authorized_keys or known_hosts file; `key` is in base64."""

    enc: str
    key: str
    comment: str = ""
    options: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the line for the file, without its line end."""
        options = f"{','.join(self.options)} " if self.options else ""
        return f"{options}{self.enc} {self.key} {self.comment}"


def parse(text: str) -> Line | None:
    """Parse the key in a line; return None if the line has no key."""
    found = _LINE.search(text.strip())
    if found is None:
        return None
    words = found.group(2).split(None, 2)
    if len(words) < 2:
        return None
    options = tuple(found.group(1).split(",")) if found.group(1) else ()
    return Line(words[0], words[1], " ".join(words[2].split()) if len(words) > 2 else "", options)


def key_type(name: str) -> str:
    """Return the full name of a key type; raise CommandExecutionError for an unknown one."""
    full = _SHORT.get(name, name)
    if full not in TYPES:
        raise CommandExecutionError(f"Incorrect encryption key type '{name}'.")
    return full


def is_of_type(enc: str, name: str | None) -> bool:
    """Return whether a full key type is the one with this full or short name; None stands for every type."""
    if name in ("e", "ecdsa"):
        return enc in _CURVES
    return name is None or enc == _SHORT.get(name, name)


def type_in_file(name: str, key: str) -> str:
    """Return the key type for a line with this key: a short name becomes the type that the key itself has."""
    if name not in _SHORT:
        return name
    with contextlib.suppress(binascii.Error, ValueError):
        raw = base64.b64decode(key, validate=True)
        own = raw[4 : 4 + int.from_bytes(raw[:4], "big")].decode("ascii")
        if is_of_type(own, name):
            return own
    return _SHORT[name]


def fingerprint(key: str, hash_type: str | None = None) -> str | None:
    """Return the fingerprint of a key as pairs of hex digits, or None if it is not base64.

    Raise CommandExecutionError for a hash type that Python lacks.
    """
    kind = (hash_type or "sha256").lower()
    # SHAKE digests have no fixed length.
    if kind not in hashlib.algorithms_available or kind.startswith("shake"):
        raise CommandExecutionError(f"The fingerprint_hash_type {kind} is not supported.")
    try:
        raw = base64.b64decode(key, validate=True)
    except (binascii.Error, ValueError):
        return None
    return hashlib.new(kind, raw).digest().hex(":")


def make_line(key: str, enc: str, comment: str, options: Sequence[str] | None) -> Line:
    """Build a line from parts as given by users."""
    return Line(key_type(enc), key, comment, tuple(options or ()))
