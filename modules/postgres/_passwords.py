"""PostgreSQL's stored passwords: an MD5 digest, or the keys of SCRAM-SHA-256.

To check whether a password is already set, its stored form is computed with the stored salt and count.

Source: PostgreSQL's pg_authid.rolpassword; RFC 5802 (SCRAM), RFC 4013 (SASLprep).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import stringprep
import unicodedata

#: Default encryption of stock's functions.
DEFAULT = "md5"
#: PostgreSQL's own number of rounds.
_ITERATIONS = 4096
_SALT_BYTES = 16
_SCRAM = re.compile(r"SCRAM-SHA-256\$(\d+):([^$]+)\$")
#: RFC 4013, 2.3.
_PROHIBITED = (
    stringprep.in_table_c12,
    stringprep.in_table_c21_c22,
    stringprep.in_table_c3,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c6,
    stringprep.in_table_c7,
    stringprep.in_table_c8,
    stringprep.in_table_c9,
)


def encrypted(role: str, password: str, method: str | bool | None) -> str:
    """Return the stored form of a password; one that is already encrypted by `method` is unchanged.

    `method` is `md5` (True, None), `scram-sha-256`, or False to leave the encryption to the server.
    Raises ValueError for another method.
    """
    method = _method(method)
    if method is False or _is_encrypted(password, method):
        return password
    return _md5(role, password) if method == "md5" else _scram(password, secrets.token_bytes(_SALT_BYTES))


def matches(role: str, password: str, stored: str, method: str | bool | None) -> bool:
    """Return whether the stored form belongs to this password and to `method`.

    With `method` False any method matches, because the server chose it.
    """
    method = _method(method)
    if password == stored and (method is False or _is_encrypted(password, method)):
        return bool(stored)
    if method is not False and not _is_encrypted(stored, method):
        return False
    if stored.startswith("md5"):
        return hmac.compare_digest(stored.encode(), _md5(role, password).encode())
    found = _SCRAM.match(stored)
    if found is None:
        return False
    again = _scram(password, base64.b64decode(found.group(2)), int(found.group(1)))
    return hmac.compare_digest(stored.encode(), again.encode())


def _method(method: str | bool | None) -> str | bool:
    if method is None or method is True:
        return DEFAULT
    if method not in (False, "md5", "scram-sha-256"):
        raise ValueError(f"Unknown password algorithm: {method}")
    return method


def _is_encrypted(password: str, method: str | bool) -> bool:
    return password.startswith("md5" if method == "md5" else "SCRAM-SHA-256")


def _md5(role: str, password: str) -> str:
    return "md5" + hashlib.md5(f"{password}{role}".encode()).hexdigest()  # noqa: S324 - PostgreSQL's format


def _scram(password: str, salt: bytes, iterations: int = _ITERATIONS) -> str:
    salted = hashlib.pbkdf2_hmac("sha256", _prepared(password).encode(), salt, iterations)
    client = hmac.digest(salted, b"Client Key", "sha256")
    stored, server = hashlib.sha256(client).digest(), hmac.digest(salted, b"Server Key", "sha256")
    encoded = (base64.b64encode(part).decode() for part in (salt, stored, server))
    return "SCRAM-SHA-256${}:{}${}:{}".format(iterations, *encoded)


def _prepared(password: str) -> str:
    """Return a password normalized by SASLprep, unchanged if SASLprep rejects it."""
    mapped = (
        " " if stringprep.in_table_c12(char) else char
        for char in password
        if not stringprep.in_table_b1(char)
    )
    text = unicodedata.normalize("NFKC", "".join(mapped))
    if not text or any(test(char) for char in text for test in _PROHIBITED) or not _is_of_one_direction(text):
        return password
    return text


def _is_of_one_direction(text: str) -> bool:
    """Return whether text obeys RFC 3454, section 6, on its direction.

    A text with right-to-left characters has no left-to-right ones, and begins and ends right-to-left.
    """
    if not any(stringprep.in_table_d1(char) for char in text):
        return True
    ends = stringprep.in_table_d1(text[0]) and stringprep.in_table_d1(text[-1])
    return ends and not any(stringprep.in_table_d2(char) for char in text)
