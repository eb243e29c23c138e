"""Random numbers, texts and password hashes (`random`).

The file name differs from the virtual name because `random` is a module of Python.
"""

from __future__ import annotations

import base64
import codecs
import hashlib
import random
import secrets
import string
from collections.abc import Sequence
from typing import Any

from salt_g.api import grains
from salt_g.errors import InvocationError, SaltGError
from salt_g.modules import _crypt

__virtualname__ = "random"


def hash(value: Any, algorithm: str = "sha512") -> str:
    """Return the hash of a text, in hexadecimal.

    Example::

        salt-g random.hash 'I am a string' md5
    """
    if algorithm not in hashlib.algorithms_available:
        raise SaltGError("You must specify a valid algorithm.")
    return hashlib.new(algorithm, value if isinstance(value, bytes) else str(value).encode()).hexdigest()


def str_encode(value: Any, encoder: str = "base64") -> str:
    """Return a text in another encoding: base64, or one of Python's byte-to-byte encodings.

    Example::

        salt-g random.str_encode 'I am a new string' hex
    """
    if not isinstance(value, (str, bytes)):
        raise InvocationError("Value must be an encode-able string")
    data = value.encode() if isinstance(value, str) else value
    if encoder == "base64":
        return base64.b64encode(data).decode()
    try:
        coded: bytes = codecs.encode(data, encoder)  # type: ignore[call-overload]
        return coded.decode("ascii")
    except (LookupError, TypeError):
        raise InvocationError("You must specify a valid encoder") from None


def get_str(
    length: int = 20,
    chars: str | None = None,
    lowercase: bool = True,
    uppercase: bool = True,
    digits: bool = True,
    punctuation: bool = True,
    whitespace: bool = False,
    printable: bool = False,
) -> str:
    """Return a random text, suitable as a password.

    length
        Number of characters.
    chars
        The characters to choose from, instead of the kinds below.
    lowercase, uppercase, digits, punctuation, whitespace
        Kinds of characters to choose from.
    printable
        Choose from all printable characters, including whitespace, regardless of the arguments above.

    Example::

        salt-g random.get_str 128
    """
    kinds = (
        (string.ascii_lowercase, lowercase),
        (string.ascii_uppercase, uppercase),
        (string.digits, digits),
        (string.punctuation, punctuation),
        (string.whitespace, whitespace),
    )
    choice = string.printable if printable else chars
    choice = choice or "".join(characters for characters, wanted in kinds if wanted)
    if not choice:
        raise InvocationError("random.get_str has no characters to choose from; allow at least one kind")
    return "".join(secrets.choice(choice) for _ in range(int(length)))


def shadow_hash(crypt_salt: str | None = None, password: str | None = None, algorithm: str = "sha512") -> str:
    """Return the hash of a password for /etc/shadow; without `password`, that of a random one.

    Example::

        salt-g random.shadow_hash 'My5alT' 'MyP@asswd' md5
    """
    return _crypt.hash_password(password, crypt_salt, algorithm)


def rand_int(start: int = 1, end: int = 10, seed: Any = None) -> int:
    """Return a random number from `start` to `end`; the same `seed` gives the same number.

    Example::

        salt-g random.rand_int 1 10
    """
    return random.Random(seed).randint(start, end)


def seed(range: int = 10, hash: Any = None) -> int:
    """Return a number from 0 to `range` - 1 that is always the same for the same text.

    hash
        The text; the minion's id by default.

    Example::

        salt-g random.seed 10 hash=web1
    """
    return random.Random(grains["id"] if hash is None else hash).randrange(range)


def sample(value: Sequence[Any], size: int, seed: Any = None) -> list[Any]:
    """Return `size` random items of a list; the same `seed` gives the same items.

    Example::

        salt-g random.sample '[one, two]' 1 seed=web1
    """
    return _chance(seed).sample(value, size)


def shuffle(value: Sequence[Any], seed: Any = None) -> list[Any]:
    """Return a list in random order; the same `seed` gives the same order.

    Example::

        salt-g random.shuffle '[one, two]' seed=web1
    """
    return sample(value, len(value), seed)


def _chance(seed: Any) -> random.Random:
    """Return a random number generator; its seed is hashed first, as in stock, to give the same results."""
    return random.Random(None if seed is None else hash(seed))
