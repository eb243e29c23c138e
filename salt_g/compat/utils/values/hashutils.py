"""Stock's `salt.utils.hashutils`."""

import base64
import hashlib


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


def base64_b64decode(instr: str | bytes) -> str:
    """Return a text decoded from base64."""
    return base64.b64decode(_bytes(instr)).decode("utf-8")


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


__all__ = ["base64_b64decode", "base64_b64encode", "get_hash", "md5_digest", "sha256_digest", "sha512_digest"]
