"""Private RSA operations by the OpenSSL that Python loads, for masters that do thousands of them.

This is the only module that calls a C library. OpenSSL takes 0.2 ms where pycryptodome takes 0.7 ms
(2048 bits). Python's `hashlib` has it loaded already, so it takes no memory; results are identical to
the byte. Every call releases the interpreter's lock.
Errors: ImportError without OpenSSL 3; ValueError for data that was not encrypted for the key.
Source: the manual pages EVP_PKEY_decrypt(3), EVP_PKEY_sign(3), EVP_PKEY_CTX_ctrl(3).
"""

from __future__ import annotations

import ctypes
import hashlib
import weakref
from collections.abc import Callable
from ctypes import byref, c_char_p, c_int, c_long, c_size_t, c_void_p
from typing import Any

#: The library of OpenSSL 3; of several on a machine, the one already loaded.
LIBRARY = "libcrypto.so.3"
#: OpenSSL's constants for paddings.
_PKCS1, _OAEP = 1, 4

#: {function: (result type, argument types)}; all exist since OpenSSL 3.0.
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "d2i_AutoPrivateKey": (c_void_p, (c_void_p, c_void_p, c_long)),
    "EVP_PKEY_free": (None, (c_void_p,)),
    "EVP_PKEY_get_size": (c_int, (c_void_p,)),
    "EVP_PKEY_CTX_new": (c_void_p, (c_void_p, c_void_p)),
    "EVP_PKEY_CTX_free": (None, (c_void_p,)),
    "EVP_PKEY_CTX_set_rsa_padding": (c_int, (c_void_p, c_int)),
    "EVP_PKEY_CTX_set_rsa_oaep_md": (c_int, (c_void_p, c_void_p)),
    "EVP_PKEY_CTX_set_rsa_mgf1_md": (c_int, (c_void_p, c_void_p)),
    "EVP_PKEY_CTX_set_signature_md": (c_int, (c_void_p, c_void_p)),
    "EVP_PKEY_decrypt_init": (c_int, (c_void_p,)),
    "EVP_PKEY_decrypt": (c_int, (c_void_p, c_char_p, c_void_p, c_char_p, c_size_t)),
    "EVP_PKEY_sign_init": (c_int, (c_void_p,)),
    "EVP_PKEY_sign": (c_int, (c_void_p, c_char_p, c_void_p, c_char_p, c_size_t)),
    "EVP_get_digestbyname": (c_void_p, (c_char_p,)),
    "ERR_clear_error": (None, ()),
}


class OpenSSLKey:
    """A private key; `der` is PKCS#1. Algorithms have their names on the wire and are known ones."""

    def __init__(self, der: bytes) -> None:
        self._library = library = _load()
        start = c_char_p(der)
        self._key = library.d2i_AutoPrivateKey(None, byref(start), len(der))
        if not self._key:
            library.ERR_clear_error()
            raise ImportError("OpenSSL does not read the key")
        weakref.finalize(self, library.EVP_PKEY_free, self._key)

    def decrypt(self, data: bytes, algorithm: str) -> bytes:
        """Return data decrypted with an algorithm such as `OAEP-SHA1`."""
        library, digest = self._library, self._digest(algorithm)

        def prepare(context: int) -> bool:
            return bool(
                library.EVP_PKEY_decrypt_init(context) > 0
                and library.EVP_PKEY_CTX_set_rsa_padding(context, _OAEP) > 0
                and library.EVP_PKEY_CTX_set_rsa_oaep_md(context, digest) > 0
                and library.EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) > 0
            )

        return self._done(prepare, library.EVP_PKEY_decrypt, data)

    def sign(self, data: bytes, algorithm: str) -> bytes:
        """Return our signature with an algorithm such as `PKCS1v15-SHA1`."""
        library, digest = self._library, self._digest(algorithm)

        def prepare(context: int) -> bool:
            return bool(
                library.EVP_PKEY_sign_init(context) > 0
                and library.EVP_PKEY_CTX_set_rsa_padding(context, _PKCS1) > 0
                and library.EVP_PKEY_CTX_set_signature_md(context, digest) > 0
            )

        return self._done(prepare, library.EVP_PKEY_sign, hashlib.new(_hash_of(algorithm), data).digest())

    def _done(self, prepare: Callable[[int], bool], operation: Callable[..., int], data: bytes) -> bytes:
        """Run an operation on `data` in its own context, so that threads may share the key."""
        library = self._library
        context = library.EVP_PKEY_CTX_new(self._key, None)
        out = ctypes.create_string_buffer(library.EVP_PKEY_get_size(self._key))
        size = c_size_t(len(out))
        try:
            if not prepare(context) or operation(context, out, byref(size), data, len(data)) <= 0:
                raise ValueError("OpenSSL refuses")
        finally:
            library.EVP_PKEY_CTX_free(context)
            # OpenSSL's error queue belongs to the thread, and `ssl` would read our entries as its own.
            library.ERR_clear_error()
        return out.raw[: size.value]

    def _digest(self, algorithm: str) -> int:
        found: int | None = self._library.EVP_get_digestbyname(_hash_of(algorithm).encode("ascii"))
        if not found:
            raise ValueError(f"OpenSSL does not have {_hash_of(algorithm)}")
        return found


def _load() -> Any:
    """Load the library and declare its functions; raises ImportError without it."""
    try:
        library = ctypes.CDLL(LIBRARY)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as exc:
        raise ImportError(f"there is no OpenSSL 3 here: {exc}") from exc
    return library


def _hash_of(algorithm: str) -> str:
    """Return the hash in an algorithm's name, which Python and OpenSSL spell alike."""
    return algorithm.rpartition("-")[2]
