"""Outermost map of a request, parsed before the sender is known.

The sign-in, sealed requests and clear commands begin with the same cheap checks, which limit the cost of the
remaining work.
Shapes: {"enc": "clear" | "aes", "load": map | bytes, "version": int, "id", "enc_algo", "sig_algo"}.
Errors: WireError, with the answer for the peer.
Source: wire specification, sections 5.2, 6.1, 6.5 and 6.7.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from salt_g.errors import WireError
from salt_g.wire.packing import BEFORE_SIGN_IN, MessageLimits, pack, unpack, unpack_flat
from salt_g.wire.rsa import DEFAULT_ENCRYPTION, DEFAULT_SIGNING, ENCRYPTION, SIGNING

if TYPE_CHECKING:
    from salt_g.shapes.loads import LoadFields

#: Our protocol version.
VERSION = 3
#: Fields whose strings are always bytes; a clear `load` is a map.
_BINARY = ("load", "sig")


@dataclasses.dataclass(frozen=True)
class Envelope:
    """A received request; `load` is still encrypted when `is_sealed`."""

    is_sealed: bool
    load: Any
    version: int
    id: str
    enc_algo: str
    sig_algo: str


def read_envelope(
    payload: bytes, *, minimum_version: int = VERSION, clear_limits: MessageLimits = BEFORE_SIGN_IN
) -> Envelope:
    """Parse the envelope of a request.

    `clear_limits` bounds the work for a sender without a session; larger messages are parsed only as far
    as sealed envelopes require.
    """
    # Only a sealed envelope, which is a flat map, may be large.
    large = len(payload) > clear_limits.size
    outer = unpack_flat(payload, binary=_BINARY) if large else unpack(payload, clear_limits, binary=_BINARY)
    if not isinstance(outer, dict) or "enc" not in outer or "load" not in outer:
        raise WireError("a request has no envelope")
    version = _version(outer.get("version", 0))
    if version < minimum_version:
        raise WireError(f"protocol version {version} is below minimum_auth_version {minimum_version}")
    if outer["enc"] not in ("aes", "clear"):
        raise WireError("a request has an unknown enc", answer="Some exception handling minion payload")
    is_sealed = outer["enc"] == "aes"
    load = outer["load"]
    if not isinstance(load, bytes if is_sealed else dict):
        raise WireError("the load of a request has the wrong type", answer="payload and load must be a dict")
    if large and not is_sealed:
        raise WireError(f"{len(payload)} bytes are too many for a clear request")
    return Envelope(
        is_sealed=is_sealed,
        load=load,
        version=version,
        id=outer["id"] if isinstance(outer.get("id"), str) else "",
        **read_algorithms(outer),
    )


def read_algorithms(load: LoadFields) -> dict[str, str]:
    """Return {'enc_algo', 'sig_algo'} of an envelope or a sign-in; raises WireError for unknown ones."""
    enc_algo = load.get("enc_algo", DEFAULT_ENCRYPTION)
    sig_algo = load.get("sig_algo", DEFAULT_SIGNING)
    if not isinstance(enc_algo, str) or enc_algo not in ENCRYPTION:
        raise WireError("unknown enc_algo", answer={"enc": "clear", "load": {"ret": "bad enc algo"}})
    if not isinstance(sig_algo, str) or sig_algo not in SIGNING:
        raise WireError("unknown sig_algo", answer={"enc": "clear", "load": {"ret": "bad sig algo"}})
    return {"enc_algo": enc_algo, "sig_algo": sig_algo}


def seal_clear(load: LoadFields, *, version: int = VERSION) -> bytes:
    """Return a clear request: a sign-in, or a command of the command line."""
    return pack({"enc": "clear", "load": load, "version": version})


def _version(value: Any) -> int:
    """Return a protocol version; a value that is not a number counts as the oldest, as with stock."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return 0
