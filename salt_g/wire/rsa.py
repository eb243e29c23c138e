"""RSA keys of the protocol: OAEP, PKCS#1 signatures, and X9.31 signatures with message recovery.

Only this module, `unencrypted_keys.py` and `aes.py` use the cryptography library. With OpenSSL 3
(`openssl.py`), public operations take 0.03 ms instead of 0.07 (2048 bits), and private ones of a master 0.2
ms instead of 0.7. Private ones release the interpreter's lock, so daemons offload them. If OpenSSL refuses an
operation, the library does it.
Shapes: algorithms are given by their names on the wire; PEM texts are *cleaned* (LF, no final newline).
Errors: WireError for keys, algorithms and messages that cannot be used.
Source: wire specification, section 5.1.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable
from typing import Any

from Crypto.Cipher import PKCS1_OAEP
from Crypto.Hash import SHA1, SHA224
from Crypto.Math.Numbers import Integer
from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15

from salt_g.errors import WireError
from salt_g.process.offload import unpatched
from salt_g.wire.pem import MAX_PEM, clean_pem, fingerprint
from salt_g.wire.unencrypted_keys import public_pem, read_plain, read_public_numbers

__all__ = [
    "DEFAULT_ENCRYPTION",
    "DEFAULT_SIGNING",
    "ENCRYPTION",
    "SIGNING",
    "PrivateKey",
    "PublicKey",
    "clean_pem",
    "fingerprint",
]

#: Encryption by name; the hash is used for label and mask.
ENCRYPTION: dict[str, Any] = {"OAEP-SHA1": SHA1, "OAEP-SHA224": SHA224}
#: Signatures by name.
SIGNING: dict[str, Any] = {"PKCS1v15-SHA1": SHA1, "PKCS1v15-SHA224": SHA224}
DEFAULT_ENCRYPTION = "OAEP-SHA1"
DEFAULT_SIGNING = "PKCS1v15-SHA1"
#: Accepted modulus sizes (bits); larger ones would let one peer exhaust all CPU time.
BITS = range(2048, 8193)
#: Largest public exponent; the usual one is 65537.
MAX_EXPONENT = 2**32
#: Maximum number of public keys kept in OpenSSL's form (2 KiB each), for those in use now. A sign-in uses a
#: key three times.
KEPT = 64

_PEM_HEAD = "-----BEGIN PUBLIC KEY-----\n"
_PEM_TAIL = "\n-----END PUBLIC KEY-----"


class PublicKey:
    """Public key of a peer, for encrypting to the peer and verifying its signatures."""

    def __init__(self, pem: str | bytes) -> None:
        """Parse the PEM text of a public key."""
        self.pem = clean_pem(pem)
        if not (self.pem.startswith(_PEM_HEAD) and self.pem.endswith(_PEM_TAIL) and len(self.pem) <= MAX_PEM):
            raise WireError("a public key is not in PEM form")
        modulus, exponent = self._numbers = read_public_numbers(self.pem) or _numbers_of(_imported(self.pem))
        _check_size(modulus.bit_length())
        if not exponent % 2 or not 3 <= exponent < MAX_EXPONENT:
            raise WireError("a public key has an unusable exponent")
        if not modulus % 2:
            raise WireError("a public key has an even modulus")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and other.pem == self.pem

    def __hash__(self) -> int:
        return hash(self.pem)

    def encrypt(self, data: bytes, algorithm: str = DEFAULT_ENCRYPTION) -> bytes:
        """Encrypt `data` for the owner; raises WireError when it is too long."""
        _named(algorithm, ENCRYPTION)
        try:
            with contextlib.suppress(ValueError):
                sealed: bytes = _by_openssl(*self._numbers).encrypt(data, algorithm)
                return sealed
            return _oaep(self._key, algorithm).encrypt(data)
        except ValueError as exc:
            raise WireError(f"{len(data)} bytes cannot be encrypted for this key: {exc}") from exc

    def verify(self, data: bytes, signature: bytes, algorithm: str = DEFAULT_SIGNING) -> bool:
        """Return whether the owner signed `data`."""
        kind = _named(algorithm, SIGNING)
        with contextlib.suppress(ValueError, TypeError):
            if _by_openssl(*self._numbers).verify(data, signature, algorithm):
                return True
        try:
            pkcs1_15.new(self._key).verify(kind.new(data), signature)
        except (ValueError, TypeError):
            return False
        return True

    def recover(self, signature: bytes) -> bytes:
        """Return the message in an X9.31 signature; raises WireError when the owner did not create it."""
        modulus, exponent = self._numbers
        size = (modulus.bit_length() + 7) // 8
        number = int.from_bytes(signature, "big")
        if len(signature) != size or number >= modulus:
            raise WireError("an X9.31 signature has the wrong size")
        block = int(pow(Integer(number), Integer(exponent), Integer(modulus)))
        if block & 0xF != 0xC:
            block = modulus - block
        return _message_in_block(block.to_bytes(size, "big"))

    @functools.cached_property
    def _key(self) -> RSA.RsaKey:
        """The library's form of the key; most keys of a master's minions never need it."""
        return RSA.construct(self._numbers)


class PrivateKey:
    """Key pair with its private half."""

    def __init__(self, pem: str | bytes, passphrase: str | None = None) -> None:
        """Parse the PEM text of a private key (PKCS#1 or PKCS#8, optionally encrypted with `passphrase`)."""
        self._key = _imported(pem, passphrase)
        if not self._key.has_private():
            raise WireError("expected a private key, got a public one")
        self._quick: Any = None

    def warm_up(self) -> bool:
        """Switch decryption and signing to OpenSSL; return whether that is possible here.

        Masters use it, because they do both at each sign-in. An OpenSSL may be configured to refuse SHA-1, so
        all algorithms that peers may request are tried and compared.
        """
        try:
            from salt_g.wire.openssl import OpenSSLKey

            quick = OpenSSLKey(self._key.export_key("DER"))
            if not self._is_equivalent(quick):
                return False
        except (ImportError, ValueError):
            return False
        self._quick = quick
        return True

    def _is_equivalent(self, quick: Any) -> bool:
        """Return whether another implementation of this key produces the same results."""
        text = b"what is the same both ways"
        return all(
            quick.decrypt(self.public.encrypt(text, name), name) == text for name in ENCRYPTION
        ) and all(quick.sign(text, name) == self.sign(text, name) for name in SIGNING)

    @classmethod
    def generate(cls, bits: int = 2048) -> PrivateKey:
        """Generate a new pair; takes 30 ms to seconds, depending on `bits` and luck."""
        return cls(RSA.generate(bits).export_key())

    @functools.cached_property
    def public(self) -> PublicKey:
        """The public key of the pair."""
        return PublicKey(public_pem(self._key))

    def to_pem(self, passphrase: str | None = None) -> str:
        """Return the private PEM text in the format of stock's files, cleaned."""
        if passphrase is None:
            return clean_pem(self._key.export_key())
        protection = "PBKDF2WithHMAC-SHA512AndAES256-CBC"
        return clean_pem(self._key.export_key(passphrase=passphrase, pkcs=8, protection=protection))

    def decrypt(self, data: bytes, algorithm: str = DEFAULT_ENCRYPTION) -> bytes:
        """Return decrypted `data`; raises WireError when it was not encrypted for us."""
        _named(algorithm, ENCRYPTION)
        try:
            if self._quick is not None:
                plain: bytes = self._quick.decrypt(data, algorithm)
                return plain
            return _oaep(self._key, algorithm).decrypt(data)
        except (ValueError, TypeError) as exc:
            raise WireError(f"{len(data)} bytes were not encrypted for our key") from exc

    def sign(self, data: bytes, algorithm: str = DEFAULT_SIGNING) -> bytes:
        """Return our signature over `data`."""
        kind = _named(algorithm, SIGNING)
        if self._quick is not None:
            signature: bytes = self._quick.sign(data, algorithm)
            return signature
        return pkcs1_15.new(self._key).sign(kind.new(data))

    def sign_recoverable(self, message: bytes) -> bytes:
        """Return the X9.31 signature that contains `message`; it is deterministic."""
        size = self._key.size_in_bytes()
        block = int.from_bytes(_block_of_message(message, size), "big")
        signature = _private_power(self._key, block)
        return min(signature, int(self._key.n) - signature).to_bytes(size, "big")


def _imported(pem: str | bytes, passphrase: str | None = None) -> RSA.RsaKey:
    try:
        text = pem.decode("latin-1") if isinstance(pem, bytes) else pem
        key = read_plain(text) or RSA.import_key(pem, passphrase)
    except (ValueError, IndexError, TypeError) as exc:
        raise WireError(f"a key cannot be read: {exc}") from exc
    _check_size(key.size_in_bits())
    if hasattr(key, "_blinding_lock"):
        # Native threads share the key, so its lock must not be the one that gevent substitutes.
        key._blinding_lock = unpatched("allocate_lock")()
    return key


def _numbers_of(key: RSA.RsaKey) -> tuple[int, int]:
    if key.has_private():
        raise WireError("expected a public key, got a private one")
    return int(key.n), int(key.e)


def _check_size(bits: int) -> None:
    if bits not in BITS:
        raise WireError(f"a key has {bits} bits; supported sizes are {BITS.start} to {BITS.stop - 1}")


@functools.lru_cache(maxsize=KEPT)
def _by_openssl(modulus: int, exponent: int) -> Any:
    """Return a public key in OpenSSL's form; raise ValueError if OpenSSL refuses it or is missing."""
    kind = _openssl()
    if kind is None:
        raise ValueError("there is no OpenSSL 3 here")
    return kind(modulus, exponent)


def load_openssl() -> None:
    """Import what public keys need, because native threads, which use them, must not import."""
    _openssl()


@functools.cache
def _openssl() -> Any:
    """Return the class of OpenSSL's public keys, or None without OpenSSL 3."""
    from salt_g.wire.openssl import OpenSSLPublicKey

    return OpenSSLPublicKey if OpenSSLPublicKey.is_offered() else None


def _named(algorithm: str, known: dict[str, Any]) -> Any:
    try:
        return known[algorithm]
    except (KeyError, TypeError) as exc:
        raise WireError(f"algorithm {algorithm!r} is not one of {', '.join(known)}") from exc


def _oaep(key: RSA.RsaKey, algorithm: str) -> PKCS1_OAEP.PKCS1OAEP_Cipher:
    kind = _named(algorithm, ENCRYPTION)
    return PKCS1_OAEP.new(key, hashAlgo=kind, mgfunc=_MASKS[kind])


def _mask_function(digest: Callable[[bytes], Any]) -> Callable[[bytes, int], bytes]:
    """Return MGF1 (RFC 8017, B.2.1) over a hash of the standard library.

    The library's own version creates a cipher object for each 20 bytes, and each of its calls releases and
    reacquires the interpreter's lock, which takes a quarter of the time of an encryption.
    """

    def mask(seed: bytes, length: int) -> bytes:
        start = digest(seed)
        made = bytearray()
        for counter in range(-(-length // start.digest_size)):
            block = start.copy()
            block.update(counter.to_bytes(4, "big"))
            made += block.digest()
        return bytes(made[:length])

    return mask


#: Mask functions by the hash of the library.
_MASKS = {SHA1: _mask_function(hashlib.sha1), SHA224: _mask_function(hashlib.sha224)}


def _block_of_message(message: bytes, size: int) -> bytes:
    filling = size - len(message) - 3
    if filling < 0:
        raise WireError(f"{len(message)} bytes are too many for an X9.31 signature of {size}")
    return b"\x6b" + b"\xbb" * filling + b"\xba" + message + b"\xcc"


def _message_in_block(block: bytes) -> bytes:
    if block[-1] != 0xCC:
        raise WireError("an X9.31 signature was not made with this key")
    if block[0] == 0x6A:
        return block[1:-1]
    end = block.find(b"\xba", 1)
    if block[0] != 0x6B or end < 0 or block[1:end].strip(b"\xbb"):
        raise WireError("an X9.31 signature was not made with this key")
    return block[end + 1 : -1]


def _private_power(key: RSA.RsaKey, block: int) -> int:
    """Return block^d mod n, blinded against timing attacks and checked for faults.

    The library has no X9.31 and exposes no raw private operation, so this is implemented with its
    integers.
    """
    modulus, p, q = Integer(key.n), Integer(key.p), Integer(key.q)
    blind = Integer.random_range(min_inclusive=2, max_exclusive=modulus)
    hidden = (Integer(block) * pow(blind, Integer(key.e), modulus)) % modulus
    from_p = pow(hidden % p, Integer(key.d % (key.p - 1)), p)
    from_q = pow(hidden % q, Integer(key.d % (key.q - 1)), q)
    # `+ p`: some of the library's number types cannot be negative.
    lifted = ((from_p + p - from_q % p) * q.inverse(p)) % p
    power = ((from_q + lifted * q) * blind.inverse(modulus)) % modulus
    if pow(power, Integer(key.e), modulus) != block:
        raise WireError("a private RSA operation failed its check; the hardware may be faulty")
    return int(power)
