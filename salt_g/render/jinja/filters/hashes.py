"""Filters for digests and encodings."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Any

from salt_g.render.jinja.filters.text import to_bytes


def digest(name: str) -> Callable[[Any], str]:
    """Return a filter that returns the hex digest of text or bytes."""

    def hex_digest(value: Any) -> str:
        return hashlib.new(name, to_bytes(value)).hexdigest()

    return hex_digest


def hmac_matches(text: str, shared_secret: str, challenge_hmac: str) -> bool:
    """Return whether `challenge_hmac` is the text's base64 HMAC (SHA-256) with the secret."""
    signature = hmac.new(to_bytes(shared_secret), to_bytes(text), hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(signature), to_bytes(challenge_hmac))


def hmac_compute(text: str, shared_secret: str) -> str:
    """Return the hex HMAC (SHA-256) of the text with the secret."""
    return hmac.new(to_bytes(shared_secret), to_bytes(text), hashlib.sha256).hexdigest()


def base64_encode(value: Any) -> str:
    """Encode text or bytes in base64, on one line."""
    return base64.b64encode(to_bytes(value)).decode("ascii")


def base64_decode(value: Any) -> str | bytes:
    """Decode base64, to text if it is UTF-8."""
    decoded = base64.b64decode(to_bytes(value))
    try:
        return decoded.decode()
    except UnicodeDecodeError:
        return decoded


def random_hash(size: int = 9999999999, hash_type: str = "") -> str:
    """Return the hex digest of a random number up to `size`."""
    return hashlib.new(hash_type or "md5", str(secrets.randbelow(int(size) + 1)).encode()).hexdigest()


FILTERS: dict[str, Callable[..., Any]] = {
    "md5": digest("md5"),
    "sha1": digest("sha1"),
    "sha256": digest("sha256"),
    "sha512": digest("sha512"),
    "hmac": hmac_matches,
    "hmac_compute": hmac_compute,
    "base64_encode": base64_encode,
    "base64_decode": base64_decode,
}
VOLATILE: dict[str, Callable[..., Any]] = {"random_hash": random_hash, "rand_str": random_hash}
