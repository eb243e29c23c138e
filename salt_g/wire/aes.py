"""Symmetric envelope: AES-192-CBC, then HMAC-SHA256 over the result.

Publications, requests, replies and pillar travel in it, under three kinds of keys. Stock calls it a
crypticle, and this code uses the same name.
Units: a key text is 76 characters of base64 for 56 random bytes (24 for AES, 32 for the MAC).
Errors: SealBroken for a wrong length or MAC; WireError when the content is not a message.
Source: wire specification, section 4.
"""

from __future__ import annotations

import base64
import functools
import hmac
import os
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from salt_g.errors import SealBroken, WireError
from salt_g.wire.packing import AFTER_SIGN_IN, SPLIT_ABOVE, MessageLimits, pack, unpack
from salt_g.wire.strings import unpack_strings

AES_KEY_SIZE = 24
MAC_KEY_SIZE = 32
BLOCK = 16
MAC_SIZE = 32
#: Number of characters of the nonce in front of the value.
NONCE_SIZE = 32
#: Marker of a value, kept from early versions of the protocol; nothing is pickled.
MARKER = b"pickle::"
#: Key, vector, plain text and cipher text of NIST SP 800-38A, section F.2.3, first block.
KNOWN_QUESTION = (
    bytes.fromhex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"),
    bytes(range(16)),
    bytes.fromhex("6bc1bee22e409f96e93d7e117393172a"),
)
KNOWN_ANSWER = bytes.fromhex("4f021db243bc633d7178183a9fa071e8")


class Cipher(Protocol):
    """AES-192 in CBC mode without padding."""

    def encrypt(self, key: bytes, vector: bytes, data: bytes) -> bytes:
        """Return `data` encrypted."""

    def decrypt(self, key: bytes, vector: bytes, data: bytes) -> bytes:
        """Return `data` decrypted."""

    def encrypt_within(self, key: bytes, vector: bytes, message: bytearray, start: int) -> None:
        """Encrypt a message from `start` to its end, in place."""

    def decrypt_part(
        self, key: bytes, vector: bytes, message: bytes | memoryview, start: int, end: int
    ) -> bytearray:
        """Return the part of a message from `start` to `end`, decrypted."""


class PortableCipher:
    """Cipher of pycryptodome, used if OpenSSL 3 is missing."""

    def encrypt(self, key: bytes, vector: bytes, data: bytes) -> bytes:
        """Return `data` encrypted."""
        sealed: bytes = _pycryptodome(key, vector).encrypt(data)
        return sealed

    def decrypt(self, key: bytes, vector: bytes, data: bytes) -> bytes:
        """Return `data` decrypted."""
        plain: bytes = _pycryptodome(key, vector).decrypt(data)
        return plain

    def encrypt_within(self, key: bytes, vector: bytes, message: bytearray, start: int) -> None:
        """Encrypt a message from `start` to its end, in place."""
        message[start:] = self.encrypt(key, vector, bytes(memoryview(message)[start:]))

    def decrypt_part(
        self, key: bytes, vector: bytes, message: bytes | memoryview, start: int, end: int
    ) -> bytearray:
        """Return the part of a message from `start` to `end`, decrypted."""
        return bytearray(self.decrypt(key, vector, bytes(message[start:end])))


def _pycryptodome(key: bytes, vector: bytes) -> Any:
    from Crypto.Cipher import AES

    return AES.new(key, AES.MODE_CBC, vector)


@functools.cache
def _cipher() -> Cipher:
    """Return OpenSSL's cipher if available and if it passes a known-answer test, otherwise pycryptodome's."""
    try:
        from salt_g.wire.openssl import Aes192Cbc

        quick = Aes192Cbc()
        if quick.encrypt(*KNOWN_QUESTION) == KNOWN_ANSWER:
            return quick
    except (ImportError, ValueError):
        pass
    return PortableCipher()


class Crypticle:
    """Encryption and decryption of values under one key text."""

    __slots__ = ("_aes_key", "_mac_key", "text")

    def __init__(self, text: bytes | str) -> None:
        self.text: bytes = (text.encode("ascii", "replace") if isinstance(text, str) else text).strip()
        try:
            keys = base64.b64decode(self.text, validate=True)
        except ValueError as exc:
            raise WireError(f"a symmetric key is not base64: {exc}") from exc
        if len(keys) != AES_KEY_SIZE + MAC_KEY_SIZE:
            raise WireError(f"a symmetric key has {len(keys)} bytes, not {AES_KEY_SIZE + MAC_KEY_SIZE}")
        self._aes_key = keys[:AES_KEY_SIZE]
        self._mac_key = keys[AES_KEY_SIZE:]

    @classmethod
    def generate(cls, random: Callable[[int], bytes] = os.urandom) -> Crypticle:
        """Return a crypticle with a new key."""
        return cls(new_key_text(random))

    def __repr__(self) -> str:
        return "<Crypticle>"

    def seal(self, value: Any, *, nonce: str = "", random: Callable[[int], bytes] = os.urandom) -> bytes:
        """Return `value` sealed; `nonce` is the nonce of the request being answered."""
        return self.seal_plain(MARKER + nonce.encode("ascii") + pack(value), random=random)

    def open(
        self,
        message: bytes,
        *,
        nonce: str = "",
        limits: MessageLimits = AFTER_SIGN_IN,
        binary: Sequence[str] = (),
    ) -> Any:
        """Return the value of a sealed message, which must carry `nonce` if one is given."""
        return read_plain(self.open_plain(message), nonce=nonce, limits=limits, binary=binary)

    def seal_plain(self, plain: bytes, *, random: Callable[[int], bytes] = os.urandom) -> bytes:
        """Return bytes padded, encrypted and authenticated."""
        missing = BLOCK - len(plain) % BLOCK
        vector = random(BLOCK)
        body = vector + _cipher().encrypt(self._aes_key, vector, plain + bytes((missing,)) * missing)
        return body + hmac.digest(self._mac_key, body, "sha256")

    def seal_parts(
        self, parts: Sequence[bytes], *, head: bytes = b"", random: Callable[[int], bytes] = os.urandom
    ) -> bytes:
        """Return `head`, followed by the joined parts, sealed as by `seal_plain` but copied only once."""
        missing = BLOCK - sum(map(len, parts)) % BLOCK
        vector = random(BLOCK)
        message = bytearray().join([head, vector, *parts, bytes((missing,)) * missing])
        _cipher().encrypt_within(self._aes_key, vector, message, len(head) + BLOCK)
        message += hmac.digest(self._mac_key, memoryview(message)[len(head) :], "sha256")
        return message  # type: ignore[return-value]

    def open_part(self, message: bytes | memoryview, start: int) -> bytes:
        """Return the plain bytes of the sealed message that begins at `start`, as `open_plain` does.

        This is for large messages, because nothing is copied before decryption.
        """
        end = len(message) - MAC_SIZE
        if end - start < 2 * BLOCK or (end - start) % BLOCK:
            raise SealBroken(f"{len(message) - start} bytes cannot be a sealed message")
        with memoryview(message) as view:
            mac = hmac.digest(self._mac_key, view[start:end], "sha256")
            if not hmac.compare_digest(mac, view[end:]):
                raise SealBroken("a message is not sealed under the key that we hold")
            vector = bytes(view[start : start + BLOCK])
        padded = _cipher().decrypt_part(self._aes_key, vector, message, start + BLOCK, end)
        missing = padded[-1]
        if not 1 <= missing <= BLOCK or padded[-missing:] != bytes((missing,)) * missing:
            raise WireError("a sealed message has invalid padding")
        del padded[-missing:]
        return padded  # type: ignore[return-value]

    def open_plain(self, message: bytes) -> bytes:
        """Check the MAC, then decrypt; raises SealBroken when another key was used."""
        if len(message) < 2 * BLOCK + MAC_SIZE or len(message) % BLOCK:
            raise SealBroken(f"{len(message)} bytes cannot be a sealed message")
        body, mac = message[:-MAC_SIZE], message[-MAC_SIZE:]
        if not hmac.compare_digest(mac, hmac.digest(self._mac_key, body, "sha256")):
            raise SealBroken("a message is not sealed under the key that we hold")
        padded = _cipher().decrypt(self._aes_key, bytes(body[:BLOCK]), body[BLOCK:])
        missing = padded[-1]
        if not 1 <= missing <= BLOCK or padded[-missing:] != bytes((missing,)) * missing:
            raise WireError("a sealed message has invalid padding")
        return padded[:-missing]


def sealed_size(size: int) -> int:
    """Return the length of a sealed message of `size` plain bytes."""
    return size + 2 * BLOCK - size % BLOCK + MAC_SIZE


def new_key_text(random: Callable[[int], bytes] = os.urandom) -> bytes:
    """Return a new key text."""
    return base64.b64encode(random(AES_KEY_SIZE + MAC_KEY_SIZE))


def read_plain(
    plain: bytes, *, nonce: str = "", limits: MessageLimits = AFTER_SIGN_IN, binary: Sequence[str] = ()
) -> Any:
    """Return the value in decrypted bytes."""
    if not plain.startswith(MARKER):
        raise WireError("a sealed message does not hold a value")
    start = len(MARKER)
    if nonce:
        found, start = plain[start : start + NONCE_SIZE], start + NONCE_SIZE
        if not hmac.compare_digest(found, nonce.encode("ascii")):
            raise WireError("a reply does not carry the nonce of its request")
    strings = unpack_strings(plain, start, binary) if binary and len(plain) > SPLIT_ABOVE else None
    return unpack(plain[start:], limits, binary=binary) if strings is None else strings
