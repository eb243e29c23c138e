"""Password hashes for /etc/shadow, made with the C library's `crypt`.

Python has dropped its own `crypt` module.

Source: crypt(5).
"""

from __future__ import annotations

import ctypes
import secrets
import string

from salt_g.errors import CommandExecutionError, InvocationError

#: {algorithm: identifier in the hash}; `crypt` is the traditional one without an identifier.
ALGORITHMS = {"sha512": "6", "sha256": "5", "blowfish": "2b", "md5": "1", "crypt": ""}
LIBRARIES = ("libcrypt.so.1", "libcrypt.so.2", "libc.so.6")
SALT_CHARACTERS = "./" + string.digits + string.ascii_letters


def hash_password(
    password: str | None = None, crypt_salt: str | None = None, algorithm: str | None = None
) -> str:
    """Return the hash of a password (None: a random one), with a random salt by default.

    Raises InvocationError for an unknown algorithm, CommandExecutionError if the C library refuses.
    """
    algorithm = algorithm or "sha512"
    if algorithm not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise InvocationError(f"Cannot hash using '{algorithm}' hash algorithm. Supported: {known}")
    if password is None:
        password = secrets.token_urlsafe(20)
    hashed = _crypt()(str(password).encode(), _setting(algorithm, crypt_salt).encode())
    # The library reports failure by a hash that begins with an asterisk.
    if not hashed or hashed.startswith(b"*"):
        raise CommandExecutionError(f"libcrypt of this machine cannot hash with {algorithm!r} and this salt")
    return str(hashed.decode())


def _setting(algorithm: str, salt: str | None) -> str:
    if salt is None:
        length = {"crypt": 2, "md5": 8, "blowfish": 22}.get(algorithm, 16)
        # The last of Blowfish's 22 characters holds only two bits.
        salt = "".join(secrets.choice(SALT_CHARACTERS) for _ in range(length))
        salt = "12$" + salt[:21] + "." if algorithm == "blowfish" else salt
    return salt if algorithm == "crypt" else f"${ALGORITHMS[algorithm]}${salt}"


def _crypt() -> ctypes._NamedFuncPointer:
    for name in LIBRARIES:
        try:
            function = ctypes.CDLL(name).crypt
        except (OSError, AttributeError):
            continue
        function.restype = ctypes.c_char_p
        function.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        return function
    raise CommandExecutionError("libcrypt is not installed on this machine, so passwords cannot be hashed")
