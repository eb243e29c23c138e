"""Sign-in, client side: build the request, verify every part of the answer.

All decisions about trust in a master are made here. Nothing is stored; the caller keeps the content of a
`Grant`.
Errors: SignInRefused carries the reason for the master's refusal; MasterNotTrusted means that the peer may
not be our master; WireError means that the answer is malformed.
Units: reading an answer takes two or three private RSA operations, so offload it.
Source: wire specification, section 5.4; the outer signature is checked before anything inside is used.
"""

from __future__ import annotations

import binascii
import dataclasses
import hashlib
import hmac
import math
from typing import TYPE_CHECKING, Any

from salt_g.errors import MasterNotTrusted, SignInRefused, WireError
from salt_g.wire.aes import Crypticle
from salt_g.wire.envelope import VERSION, seal_clear
from salt_g.wire.packing import BEFORE_SIGN_IN, as_bytes, unpack
from salt_g.wire.rsa import DEFAULT_ENCRYPTION, DEFAULT_SIGNING, PrivateKey, PublicKey, fingerprint

if TYPE_CHECKING:
    from salt_g.shapes import Grains
    from salt_g.shapes.loads import SignInAnswer, SignInLoad

#: Maximum number of features read from a master's answer.
MAX_FEATURES = 32


@dataclasses.dataclass(frozen=True)
class Trust:
    """Grounds on which a minion trusts its master.

    `known` is the cached key, `signer` the key that signs the master's key (`verify_master_pubkey_sign`),
    `finger` the setting `master_finger`, '' if unset.
    """

    known: PublicKey | None = None
    signer: PublicKey | None = None
    always_verify_signature: bool = False
    finger: str = ""
    hash_type: str = "sha256"


@dataclasses.dataclass(frozen=True)
class Attempt:
    """Sign-in in progress, against which the answer is checked; `token` is b'' if no master key is known."""

    id: str
    nonce: str
    token: bytes
    enc_algo: str
    sig_algo: str


@dataclasses.dataclass(frozen=True)
class Grant:
    """Content of a successful answer; `is_new_master` means that `master` must be stored.

    `time` is the master's clock when it answered (seconds since the epoch), None if unknown; `features` names
    what the master supports beyond stock's protocol.
    """

    publish: Crypticle
    session: Crypticle
    publish_port: int
    master: PublicKey
    is_new_master: bool
    time: float | None = None
    features: frozenset[str] = frozenset()


def ask(
    id: str,
    public: PublicKey,
    trust: Trust,
    *,
    nonce: str,
    token: bytes,
    enc_algo: str = DEFAULT_ENCRYPTION,
    sig_algo: str = DEFAULT_SIGNING,
    autosign_grains: Grains | None = None,
) -> tuple[bytes, Attempt]:
    """Return the request, and the attempt against which its answer is checked.

    `nonce` is 32 random hex digits, `token` a new key text that a known master has to decrypt.
    """
    load: SignInLoad = {
        "cmd": "_auth",
        "id": id,
        "nonce": nonce,
        "pub": public.pem,
        "enc_algo": enc_algo,
        "sig_algo": sig_algo,
    }
    if trust.known is None:
        token = b""
    else:
        load["token"] = trust.known.encrypt(token, enc_algo)
    if autosign_grains:
        load["autosign_grains"] = dict(autosign_grains)
    return seal_clear(load, version=VERSION), Attempt(id, nonce, token, enc_algo, sig_algo)


def read_answer(payload: bytes, attempt: Attempt, key: PrivateKey, trust: Trust) -> Grant:
    """Verify a master's answer completely and return its content."""
    signed, signature = _outer(payload)
    answer = unpack(signed, BEFORE_SIGN_IN, binary=("aes", "session", "token", "sig"))
    if not isinstance(answer, dict):
        raise WireError("the answer to a sign-in is not a map")
    master = _master_of(answer, trust, attempt.sig_algo)
    if master is not None and not master.verify(signed, signature, attempt.sig_algo):
        raise MasterNotTrusted("the answer to a sign-in is not signed by the master's key")
    if answer.get("nonce") != attempt.nonce:
        raise WireError("the answer to a sign-in does not carry our nonce")
    if master is None or "pub_key" not in answer:
        raise SignInRefused(_reason(answer.get("ret")), proven=master is not None)
    return _grant(answer, attempt, key, master, is_new=master != trust.known)


def _outer(payload: bytes) -> tuple[bytes, bytes]:
    """Return the signed bytes and their signature; raise SignInRefused for an unsigned answer."""
    outer = unpack(payload, BEFORE_SIGN_IN, binary=("load", "sig"))
    if not isinstance(outer, dict):
        raise SignInRefused(str(outer)[:100], proven=False)
    if "sig" in outer and "load" in outer:
        return as_bytes(outer["load"]), as_bytes(outer["sig"])
    load = outer.get("load", outer)
    word = load.get("ret") if isinstance(load, dict) else None
    raise SignInRefused(_reason(word) if isinstance(word, bool) else str(word)[:100], proven=False)


def _reason(verdict: Any) -> str:
    """Return the reason for a refusal: `full`, `pending` or `rejected`."""
    if verdict == "full":
        return "full"
    return "pending" if verdict else "rejected"


def _master_of(answer: SignInAnswer, trust: Trust, sig_algo: str) -> PublicKey | None:
    """Return the key that must have signed the answer, or None if no key is known."""
    if "pub_key" not in answer:
        return trust.known
    offered = PublicKey(answer["pub_key"] if isinstance(answer["pub_key"], str) else "")
    _check_finger(offered, trust)
    if (trust.signer is None) != ("pub_sig" not in answer):
        raise MasterNotTrusted("only one side requires the master's key to be signed")
    if trust.signer is not None and (offered != trust.known or trust.always_verify_signature):
        _check_key_signature(answer["pub_sig"], offered, trust.signer, sig_algo)
    elif trust.known not in (None, offered):
        raise MasterNotTrusted(
            "the master's key has changed; if that was intended, remove the cached minion_master.pub"
        )
    return offered


def _check_key_signature(text: Any, offered: PublicKey, signer: PublicKey, sig_algo: str) -> None:
    try:
        signature = binascii.a2b_base64(as_bytes(text))
    except ValueError as exc:
        raise WireError("the signature of the master's key is not base64") from exc
    if not signer.verify(offered.pem.encode("ascii"), signature, sig_algo):
        raise MasterNotTrusted("the master's key is not signed by the signing key")


def _check_finger(offered: PublicKey, trust: Trust) -> None:
    found = fingerprint(offered.pem, trust.hash_type) if trust.finger else ""
    if found != trust.finger.strip().lower():
        raise MasterNotTrusted(
            f"the master's key has the fingerprint {found}, which is not master_finger; compare it with the"
            " line master.pub of `salt-g key -F master` there; correct master_finger only if they match"
        )


def _grant(
    answer: SignInAnswer, attempt: Attempt, key: PrivateKey, master: PublicKey, *, is_new: bool
) -> Grant:
    publish_key = key.decrypt(as_bytes(answer.get("aes")), attempt.enc_algo)
    digest = hashlib.sha256(publish_key).hexdigest().encode("ascii")
    if not hmac.compare_digest(master.recover(as_bytes(answer.get("sig"))), digest):
        raise MasterNotTrusted("the publish key is not signed by the master")
    if attempt.token:
        token = key.decrypt(as_bytes(answer.get("token")), attempt.enc_algo)
        if not hmac.compare_digest(token, attempt.token):
            raise MasterNotTrusted("the master cannot decrypt a token encrypted for its key")
    if "session" not in answer:
        raise WireError("the master speaks an older protocol that has no sessions")
    port = answer.get("publish_port")
    if type(port) is not int or not 0 < port < 65536:
        raise WireError(f"the master names no valid publish port: {port!r}")
    session_key = key.decrypt(as_bytes(answer["session"]), attempt.enc_algo)
    return Grant(
        publish=Crypticle(publish_key),
        session=Crypticle(session_key),
        publish_port=port,
        master=master,
        is_new_master=is_new,
        time=_moment(answer.get("time")),
        features=_features(answer.get("features")),
    )


def _features(value: Any) -> frozenset[str]:
    """Return the valid features in an answer; the sign-in can do without the others."""
    named = value if isinstance(value, list) else ()
    return frozenset(name for name in named[:MAX_FEATURES] if isinstance(name, str))


def _moment(value: Any) -> float | None:
    """Return the time in an answer, or None if malformed, because the sign-in can do without it."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)
