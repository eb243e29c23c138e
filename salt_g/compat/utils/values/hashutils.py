"""Stock's `salt.utils.hashutils`: hashes and base64."""

import base64
import hashlib

from salt_g.render.jinja.filters.hashes import base64_decode, hmac_compute, random_hash
from salt_g.render.jinja.filters.hashes import hmac_matches as hmac_signature


def get_hash(path: str, form: str = "sha256", chunk_size: int = 65536) -> str:
    """Return the hex digest of a file."""
    digest = hashlib.new(form)
    with open(path, "rb") as file:
        while chunk := file.read(chunk_size):
            digest.update(chunk)
    return digest.hexdigest()


def md5_digest(instr: str | bytes) -> str:
    """Return the MD5 of a text."""
    return hashlib.md5(_bytes(instr), usedforsecurity=False).hexdigest()


def sha256_digest(instr: str | bytes) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(_bytes(instr)).hexdigest()


def sha512_digest(instr: str | bytes) -> str:
    """Return the SHA-512 of a text."""
    return hashlib.sha512(_bytes(instr)).hexdigest()


def base64_b64encode(instr: str | bytes) -> str:
    """Return a text encoded in base64."""
    return base64.b64encode(_bytes(instr)).decode("ascii")


def base64_b64decode(instr: str | bytes) -> str | bytes:
    """Decode base64; return text, or bytes if they are not UTF-8."""
    return base64_decode(instr)


def base64_encodestring(instr: str | bytes) -> str:
    """Return a text encoded in base64, in lines of 76 characters."""
    return base64.encodebytes(_bytes(instr)).decode("ascii")


def base64_decodestring(instr: str | bytes) -> str | bytes:
    """Decode base64; return text, or bytes if they are not UTF-8."""
    return base64_decode(instr)


def sha1_digest(instr: str | bytes) -> str:
    """Return the SHA-1 of a text."""
    return hashlib.sha1(_bytes(instr), usedforsecurity=False).hexdigest()


class DigestCollector:
    """Combined digest of several texts and files."""

    def __init__(self, form: str = "sha256", buff: int = 0x10000) -> None:
        self._digest = hashlib.new(form)
        self._buff = buff

    def add(self, path: str) -> None:
        """Add the content of a file to the digest."""
        with open(path, "rb") as file:
            while piece := file.read(self._buff):
                self._digest.update(piece)

    def digest(self) -> str:
        """Return the hex digest."""
        return self._digest.hexdigest()


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


__all__ = ["DigestCollector", "base64_b64decode", "base64_b64encode", "base64_decodestring"]
__all__ += ["base64_encodestring", "get_hash", "hmac_compute", "hmac_signature", "md5_digest", "random_hash"]
__all__ += ["sha1_digest", "sha256_digest", "sha512_digest"]
