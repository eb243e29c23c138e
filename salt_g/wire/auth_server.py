"""Sign-in, server side: parse the request, build one of the answers.

The verdict is decided elsewhere, by keys on disk and settings; this module formats it. `auth_client.py` is
the minion's half.
Shapes: answers are bytes. Protocol 3 has a session, 2 has none, 0 and 1 are not signed.
Errors: WireError for loads that deserve no signed answer.
Units: building an answer takes one private RSA operation (two when the minion sent a token), so offload it.
Source: wire specification, sections 5.2, 5.3 and 6.7.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.errors import WireError
from salt_g.wire.aes import Crypticle
from salt_g.wire.envelope import Envelope, read_algorithms
from salt_g.wire.ids import is_valid_id
from salt_g.wire.packing import as_bytes, pack
from salt_g.wire.rsa import PrivateKey, PublicKey

if TYPE_CHECKING:
    from salt_g.shapes.loads import LoadFields

#: First protocol version with a signed answer and a nonce.
SIGNED_SINCE = 2
#: First protocol version with a session key.
SESSION_SINCE = 3
#: Extensions of stock's protocol that this master accepts.
FEATURES = ("steps",)
#: Longest nonce that is echoed; peers use 32 hex digits.
MAX_NONCE = 64


@dataclasses.dataclass(frozen=True)
class SignIn:
    """Parsed sign-in; if it cannot succeed, `public` is None and `problem` has the reason."""

    id: str
    version: int
    nonce: str
    enc_algo: str
    sig_algo: str
    public: PublicKey | None
    token: bytes
    autosign_grains: Mapping[str, Any]
    problem: str


@dataclasses.dataclass(frozen=True)
class MasterIdentity:
    """Identity that a master presents at every sign-in.

    `key_signature` returns the signing key's signature over the master's public key for a signing algorithm,
    or b'' without `master_sign_pubkey`; see `sign_master_key`.
    """

    key: PrivateKey
    publish_port: int
    key_signature: Callable[[str], bytes] = lambda sig_algo: b""


@dataclasses.dataclass(frozen=True)
class PublishKey:
    """Publish key with the master's signature over it (X9.31, made once)."""

    crypticle: Crypticle
    proof: bytes

    @classmethod
    def prove(cls, crypticle: Crypticle, key: PrivateKey) -> PublishKey:
        """Return a publish key with the master's signature over it."""
        return cls(crypticle, key.sign_recoverable(_digest(crypticle.text)))


def read_sign_in(envelope: Envelope) -> SignIn:
    """Parse the load of an `_auth` command.

    Unknown algorithms are refused before anything else. An invalid id and a corrupt key are reported in
    `problem`, because the caller signs that answer.
    """
    load = envelope.load
    if envelope.is_sealed or load.get("cmd") != "_auth":
        raise WireError("this is not a sign-in")
    algorithms = read_algorithms(load)
    public, problem = _offered_key(load.get("pub"))
    if not is_valid_id(load.get("id")):
        public, problem = None, "its id is not valid"
    grains = load.get("autosign_grains")
    return SignIn(
        id=str(load.get("id", ""))[:253],
        version=envelope.version,
        nonce=_nonce(load, envelope.version),
        public=public,
        token=as_bytes(load.get("token", b"")),
        autosign_grains=grains if isinstance(grains, dict) else {},
        problem=problem,
        **algorithms,
    )


def accept(
    sign_in: SignIn,
    master: MasterIdentity,
    publish: PublishKey,
    session: Crypticle,
    now: float | None = None,
    features: Sequence[str] = FEATURES,
) -> bytes:
    """Return the answer that admits a minion.

    A signed answer contains `now`, the master's clock (seconds since the epoch), and `features`; peers that
    do not know these fields ignore them.
    """
    if sign_in.public is None:
        raise WireError(f"a sign-in cannot be accepted: {sign_in.problem}")
    answer = {
        "enc": "pub",
        "pub_key": master.key.public.pem,
        "publish_port": master.publish_port,
        "aes": sign_in.public.encrypt(publish.crypticle.text, sign_in.enc_algo),
        "sig": publish.proof,
        **_answered_token(sign_in, sign_in.public, master.key),
    }
    if sign_in.version >= SESSION_SINCE:
        answer["session"] = sign_in.public.encrypt(session.text, sign_in.enc_algo)
    key_signature = master.key_signature(sign_in.sig_algo)
    if key_signature:
        # Stock's base64 text ends in a newline.
        answer["pub_sig"] = base64.b64encode(key_signature) + b"\n"
    if sign_in.version < SIGNED_SINCE:
        return pack(answer)
    extra = {} if now is None else {"time": now}
    return _clear_signed(
        {**answer, **extra, "features": list(features), "nonce": sign_in.nonce}, sign_in, master.key
    )


def refuse(sign_in: SignIn, verdict: bool | str, key: PrivateKey) -> bytes:
    """Return the answer for a verdict: True for a pending key, False for a rejected one, or 'full'."""
    if sign_in.version < SIGNED_SINCE:
        return pack({"enc": "clear", "load": {"ret": verdict}})
    return _clear_signed({"ret": verdict, "nonce": sign_in.nonce}, sign_in, key)


def sign_master_key(public: PublicKey, signing_key: PrivateKey, sig_algo: str) -> bytes:
    """Return the signing key's signature over the master's key, for `master_sign_pubkey`."""
    return signing_key.sign(public.pem.encode("ascii"), sig_algo)


def _offered_key(pem: Any) -> tuple[PublicKey | None, str]:
    if not isinstance(pem, str):
        return None, "it offers no key"
    try:
        return PublicKey(pem), ""
    except WireError as exc:
        return None, str(exc)


def _nonce(load: LoadFields, version: int) -> str:
    nonce = load.get("nonce", "")
    if not isinstance(nonce, str) or len(nonce) > MAX_NONCE or (version >= SIGNED_SINCE and not nonce):
        raise WireError("a sign-in has no usable nonce")
    return nonce


def _answered_token(sign_in: SignIn, public: PublicKey, key: PrivateKey) -> dict[str, bytes]:
    """Return {"token"} encrypted for the minion, or {} if it sent none or encrypted it for another key."""
    if not sign_in.token:
        return {}
    try:
        token = key.decrypt(sign_in.token, sign_in.enc_algo)
        return {"token": public.encrypt(token, sign_in.enc_algo)}
    except WireError:
        return {}


def _clear_signed(answer: Mapping[str, Any], sign_in: SignIn, key: PrivateKey) -> bytes:
    load = pack(answer)
    return pack({"enc": "clear", "load": load, "sig": key.sign(load, sign_in.sig_algo)})


def _digest(key_text: bytes) -> bytes:
    return hashlib.sha256(key_text).hexdigest().encode("ascii")
