"""Reply to `_pillar`: encrypted with a one-time key, signed, bound to the request.

Unlike other replies, it is not sealed with the session key.
Shapes: {"key": one-time key encrypted for the minion, "pillar": sealed {"data", "sig"}} where data is
packed {"key", "pillar", "nonce"}.
Units: one private RSA operation on each side; offload it.
Source: wire specification, section 8.
"""

from __future__ import annotations

from typing import Any

from salt_g.errors import MasterNotTrusted, SealBroken, WireError
from salt_g.wire.aes import Crypticle
from salt_g.wire.packing import as_bytes, pack, unpack
from salt_g.wire.requests import SealedRequest
from salt_g.wire.rsa import PrivateKey, PublicKey


def seal_pillar(request: SealedRequest, pillar: Any, minion: PublicKey, master: PrivateKey) -> bytes:
    """Return the reply, readable only by `minion` and signed by `master`."""
    if request.version > 1 and not request.nonce:
        raise WireError(
            "a request for pillar has no nonce", answer={"error": "Nonce not included in request"}
        )
    once = Crypticle.generate()
    key = minion.encrypt(once.text, request.enc_algo)
    if request.version < 2:
        return pack({"key": key, "pillar": once.seal(pillar)})
    data = pack({"key": key, "pillar": pillar, "nonce": request.nonce})
    signed = {"data": data, "sig": master.sign(data, request.sig_algo)}
    return pack({"key": key, "pillar": once.seal(signed)})


def open_pillar(
    payload: bytes, key: PrivateKey, master: PublicKey, nonce: str, *, enc_algo: str, sig_algo: str
) -> Any:
    """Return the pillar; raises SealBroken for a refusal, MasterNotTrusted for a wrong signature."""
    reply = unpack(payload, binary=("key", "pillar"))
    if not isinstance(reply, dict) or "key" not in reply or "pillar" not in reply:
        # A refusal of the master is sealed for the session and can never be taken for pillar.
        raise SealBroken("the master sent no pillar; its log says why")
    once = Crypticle(key.decrypt(as_bytes(reply["key"]), enc_algo))
    signed = once.open(as_bytes(reply["pillar"]), binary=("data", "sig"))
    if not isinstance(signed, dict):
        raise WireError("pillar arrived without a signature")
    data, signature = as_bytes(signed.get("data")), as_bytes(signed.get("sig"))
    if not master.verify(data, signature, sig_algo):
        raise MasterNotTrusted("pillar is not signed by the master")
    body = unpack(data, binary=("key",))
    if not isinstance(body, dict) or as_bytes(body.get("key")) != as_bytes(reply["key"]):
        raise WireError("pillar was signed for another reply")
    if body.get("nonce") != nonce:
        raise WireError("pillar arrived for another request")
    return body.get("pillar")
