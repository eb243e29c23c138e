"""The symmetric envelope: AES-192-CBC, then HMAC-SHA256.

Source: wire specification, section 4.
"""

import base64
import hashlib
import hmac
import os

from Crypto.Cipher import AES

from wire.errors import AuthError
from wire.packing import as_bytes, pack, unpack


class Crypticle:
    """AES-192-CBC + HMAC-SHA256 (encrypt then MAC): iv | ciphertext | mac."""

    MAGIC = b"pickle::"

    def __init__(self, key_text):
        raw = base64.b64decode(key_text)
        if len(raw) != 24 + 32:
            raise AuthError(f"symmetric key is {len(raw)} bytes, expected 56")
        self.key_text = as_bytes(key_text)
        self._aes, self._mac = raw[:24], raw[24:]

    def seal(self, plain):
        pad = 16 - len(plain) % 16
        iv = os.urandom(16)
        body = iv + AES.new(self._aes, AES.MODE_CBC, iv).encrypt(plain + bytes([pad]) * pad)
        return body + hmac.new(self._mac, body, hashlib.sha256).digest()

    def open(self, blob):
        body, mac = blob[:-32], blob[-32:]
        want = hmac.new(self._mac, body, hashlib.sha256).digest()
        if len(blob) < 64 or len(body) % 16 or not hmac.compare_digest(mac, want):
            raise AuthError("message authentication failed")
        plain = AES.new(self._aes, AES.MODE_CBC, body[:16]).decrypt(body[16:])
        return plain[: -plain[-1]]

    def dumps(self, obj, nonce=""):
        return self.seal(self.MAGIC + nonce.encode() + pack(obj))

    def loads(self, blob, nonce="", binary=()):
        plain = self.open(blob)
        if not plain.startswith(self.MAGIC):
            raise AuthError("no payload marker inside")
        plain = plain[len(self.MAGIC) :]
        if nonce:
            if plain[:32] != nonce.encode():
                raise AuthError("reply nonce does not match the request")
            plain = plain[32:]
        return unpack(plain, binary)
