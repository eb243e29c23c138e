"""Sealed requests and their replies, for both sides.

Opening a request authenticates its sender. A `SealedRequest` names the sender that the session proved;
claims inside the load are not trusted.
Shapes: loads are maps with `cmd`. Times (`now`) are seconds since the epoch.
Errors: WireError with the refusal for the peer; SealBroken when the key is wrong or no longer valid.
Source: wire specification, sections 6.1 to 6.7.
"""

from __future__ import annotations

import dataclasses
import hmac
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from salt_g.errors import SealBroken, WireError
from salt_g.wire.aes import MARKER, NONCE_SIZE, Crypticle, read_plain, sealed_size
from salt_g.wire.envelope import VERSION, Envelope
from salt_g.wire.ids import check_id
from salt_g.wire.packing import (
    AFTER_SIGN_IN,
    BEFORE_SIGN_IN,
    FROM_MINION,
    LONG_HEADER,
    MessageLimits,
    Packed,
    as_bytes,
    is_long_string,
    pack,
    pack_bus,
    pack_large,
    unpack,
    unpack_raw,
)
from salt_g.wire.rsa import DEFAULT_ENCRYPTION, DEFAULT_SIGNING, PrivateKey, PublicKey
from salt_g.wire.sessions import Keyed, KeyRing, SessionKey
from salt_g.wire.strings import LONG_PART, has_long_part, long_header, pack_parts
from salt_g.wire.value_size import is_light

if TYPE_CHECKING:
    from salt_g.shapes.loads import Load, LoadFields

#: Text that a minion signs to prove possession of the private key of its id.
TOK_MESSAGE = b"salt"
#: First protocol version whose requests are sealed with a session key and name their sender.
SESSION_SINCE = 3


@dataclasses.dataclass(frozen=True)
class SealedRequest:
    """A decrypted request.

    `id` is the sender: proven by session and key for protocol 3, by `tok` for older ones, '' if unproven.
    `load` lacks `tok` and `nonce`; `size` is the size on the wire (bytes).
    """

    id: str
    load: Load
    nonce: str
    key: Crypticle
    enc_algo: str
    sig_algo: str
    version: int
    size: int = 0


class TokenCheck:
    """Check of each `tok` against the public key whose owner must have made it.

    A `tok` is the same in every request of a key pair, so the RSA operation is done once and later
    values are compared with its result.
    """

    __slots__ = ("_proven", "public")

    def __init__(self, public: PublicKey) -> None:
        self.public = public
        self._proven = b""

    def __call__(self, tok: Any) -> bool:
        """Return whether `tok` proves the key."""
        if not isinstance(tok, bytes):
            return False
        if self._proven and hmac.compare_digest(tok, self._proven):
            return True
        try:
            genuine = hmac.compare_digest(self.public.recover(tok), TOK_MESSAGE)
        except WireError:
            return False
        if genuine:
            self._proven = tok
        return genuine


def open_request(
    envelope: Envelope,
    ring: KeyRing[SessionKey],
    is_genuine: TokenCheck,
    *,
    now: float,
    clock: float,
    ttl: float = 0,
    replays: Sequence[str] = (),
    limits: MessageLimits = FROM_MINION,
) -> SealedRequest:
    """Open a request of protocol 3 with the session of the id in its envelope.

    The caller has already checked that this id has an accepted key. `now` is the wall clock, `clock` the
    monotonic clock of the ring, `ttl` the setting `request_server_ttl` (0: off). Commands in `replays` may
    arrive twice with the same nonce, because stock's minions repeat `_pillar` in this way after a timeout.
    Old requests are still refused, because they carry grains.
    """
    request, use_up = unseal_request(
        envelope, ring, is_genuine, now=now, clock=clock, ttl=ttl, replays=replays, limits=limits
    )
    use_up()
    return request


def unseal_request(
    envelope: Envelope,
    ring: KeyRing[SessionKey],
    is_genuine: TokenCheck,
    *,
    now: float,
    clock: float,
    ttl: float = 0,
    replays: Sequence[str] = (),
    limits: MessageLimits = FROM_MINION,
) -> tuple[SealedRequest, Callable[[], None]]:
    """Open a request as `open_request` does; return it and a function that marks its nonce as used.

    Safe in a native thread. If two threads open the same request, a single thread must call both functions,
    so that the request is served only once.
    """
    sender = check_id(envelope.id)
    plain, key = ring.find(_sealed(envelope), now=clock)
    load = _load(plain, limits)
    if check_id(load.get("id")) != sender:
        raise WireError(f"{sender}: its request names the sender {str(load['id'])[:64]!r}")
    if not is_genuine(load.pop("tok", None)):
        raise WireError(f"{sender}: its request does not prove the accepted key")
    nonce = _take_nonce(load)
    stamp = _check_stamp(sender, load.get("ts"), now, ttl)
    guard = key.guard
    is_free = load.get("cmd") in replays
    use_up = partial(guard.check_stamp, stamp) if is_free else partial(guard.check, nonce, stamp)
    return _request(envelope, load, nonce, key, sender), use_up


def open_old_request(
    envelope: Envelope,
    ring: KeyRing[Any],
    is_genuine: Mapping[str, TokenCheck],
    *,
    clock: float,
    limits: MessageLimits = FROM_MINION,
) -> SealedRequest:
    """Open a request of protocol 0 to 2, which is sealed with the publish key that all minions know.

    `is_genuine` has a check for each id with an accepted key. Without a `tok` the request's `id` is ''.
    """
    plain, key = ring.find(_sealed(envelope), now=clock)
    load = _load(plain, limits)
    sender, tok = "", load.pop("tok", None)
    if tok is not None and load.get("id") is not None:
        sender = check_id(load["id"])
        if sender not in is_genuine or not is_genuine[sender](tok):
            raise WireError(f"{sender}: its request does not prove the accepted key")
    nonce = _take_nonce(load) if envelope.version > 1 and load.get("nonce") else ""
    return _request(envelope, load, nonce, key, sender)


def seal_reply(request: SealedRequest, value: Any) -> bytes:
    """Return the reply to a request, sealed with the key of that request."""
    return seal_plain_reply(request, plain_reply(request, value))


def plain_reply(request: SealedRequest, value: Any) -> list[bytes]:
    """Return the plain bytes of a reply in parts, the cheaper half of `seal_reply`."""
    start = MARKER + request.nonce.encode("ascii")
    if has_long_part(value):
        return [start, *pack_parts(value)]
    return [start, value.data if isinstance(value, Packed) else pack(value)]


def seal_plain_reply(request: SealedRequest, plain: Sequence[bytes]) -> bytes:
    """Encrypt a reply prepared by `plain_reply`."""
    size = sealed_size(sum(map(len, plain)))
    if size < LONG_PART:
        return pack(request.key.seal_plain(b"".join(plain)))
    return request.key.seal_parts(plain, head=long_header(size))


def seal_request(
    load: LoadFields,
    id: str,
    session: Crypticle,
    *,
    nonce: str,
    now: float,
    tok: bytes,
    enc_algo: str = DEFAULT_ENCRYPTION,
    sig_algo: str = DEFAULT_SIGNING,
    sign_with: PrivateKey | None = None,
) -> bytes:
    """Return a minion's request; `tok` comes from `make_tok`, `sign_with` is for `minion_sign_messages`."""
    inner = {**load, "id": id, "ts": int(now)}
    if sign_with is not None:
        inner["sig"] = sign_with.sign(pack_bus(inner), sig_algo)
    inner.update(nonce=nonce, tok=tok)
    return pack(
        {
            "enc": "aes",
            "load": session.seal(inner),
            "version": VERSION,
            "id": id,
            "enc_algo": enc_algo,
            "sig_algo": sig_algo,
        }
    )


def seal_registration(who: LoadFields, publish: Crypticle) -> bytes:
    """Return the first message of a subscriber over `tcp`; `who` is its id and `tok`.

    `publish` is the publish key, not the session key.
    """
    return pack({"enc": "aes", "load": publish.seal(who), "version": VERSION})


def open_reply(
    payload: bytes | memoryview,
    session: Crypticle,
    nonce: str,
    *,
    limits: MessageLimits = AFTER_SIGN_IN,
    binary: Sequence[str] = (),
) -> Any:
    """Return the value of a reply.

    Raises SealBroken for everything that is not sealed under `session`, because a plain refusal is unsigned
    and must not cause more than a new sign-in.
    """
    if len(payload) <= limits.size and is_long_string(payload):
        plain = session.open_part(payload, LONG_HEADER)
        return read_plain(plain, nonce=nonce, limits=limits, binary=binary)
    payload = bytes(payload)
    outer = unpack_raw(payload) if len(payload) <= limits.size else None
    if outer is None:
        outer = unpack(payload, BEFORE_SIGN_IN._replace(size=limits.size))
    if not isinstance(outer, (bytes, str)):
        raise SealBroken(f"the master refused a request: {str(outer)[:100]}")
    try:
        return session.open(as_bytes(outer), nonce=nonce, limits=limits, binary=binary)
    except SealBroken as exc:
        if isinstance(outer, str):
            raise SealBroken(f"the master refused a request: {outer[:100]!r}") from exc
        raise


def make_tok(key: PrivateKey) -> bytes:
    """Return the constant proof of a minion's key for its requests."""
    return key.sign_recoverable(TOK_MESSAGE)


def is_signed(load: LoadFields, public: PublicKey, sig_algo: str) -> bool:
    """Return whether the minion signed this load (`minion_sign_messages`); `sig` is one of its fields."""
    signature = load.get("sig")
    if not isinstance(signature, bytes):
        return False
    unsigned = {name: value for name, value in load.items() if name != "sig"}
    return public.verify(
        pack_bus(unsigned) if is_light(unsigned) else pack_large(unsigned), signature, sig_algo
    )


def _sealed(envelope: Envelope) -> bytes:
    if not envelope.is_sealed:
        raise WireError("a request is not sealed")
    return as_bytes(envelope.load)


def _load(plain: bytes, limits: MessageLimits) -> Load:
    load = read_plain(plain, limits=limits, binary=("tok", "sig"))
    if not isinstance(load, dict):
        raise WireError("the load of a request is not a map", answer="payload and load must be a dict")
    return load


def _take_nonce(load: Load) -> str:
    nonce = load.pop("nonce", None)
    if not isinstance(nonce, str) or len(nonce) != NONCE_SIZE or not nonce.isascii():
        raise WireError(f"a request's nonce is not a text of {NONCE_SIZE} ASCII characters")
    return nonce


def _check_stamp(sender: str, stamp: Any, now: float, ttl: float) -> int:
    if not isinstance(stamp, (int, float)) or not abs(stamp) < 2**53:
        raise WireError(f"{sender}: its request has no valid timestamp")
    if ttl > 0 and now - stamp > ttl:
        raise WireError(
            f"{sender}: its request is {now - stamp:.0f} s old, but request_server_ttl is {ttl:g}"
        )
    return int(stamp)


def _request(envelope: Envelope, load: Load, nonce: str, key: Keyed, sender: str) -> SealedRequest:
    return SealedRequest(
        id=sender,
        load=load,
        nonce=nonce,
        key=key.crypticle,
        enc_algo=envelope.enc_algo,
        sig_algo=envelope.sig_algo,
        version=envelope.version,
        size=len(envelope.load),
    )
