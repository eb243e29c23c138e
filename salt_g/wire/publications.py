"""Publications: jobs that the master sends to all minions at once.

Encryption, signature, serial numbers and topics, for both sides.
Shapes: a job is the map of the wire specification, section 7.2; frames are [payload] or [topic,
payload].
Errors: SealBroken when the publish key was replaced; WireError for everything else that makes a minion
drop a publication.
Source: wire specification, sections 2.3 and 7.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from salt_g.errors import MasterNotTrusted, WireError
from salt_g.shapes.loads import JobLoad, is_job
from salt_g.wire.aes import Crypticle
from salt_g.wire.packing import AFTER_SIGN_IN, MessageLimits, as_bytes, pack, unpack
from salt_g.wire.rsa import DEFAULT_SIGNING, SIGNING, PrivateKey, PublicKey

#: Topics of publications for all minions, and for syndics.
BROADCAST = b"broadcast"
SYNDIC = b"syndic"
#: Length of a minion's topic (bytes).
TOPIC_LENGTH = 40
#: Maximum number of publish keys whose serials a minion remembers.
MOST_KEYS = 64
#: Mandatory fields of a publication.
REQUIRED = ("tgt", "jid", "fun", "arg")
#: Permitted fields of a publication; all other fields of a load are set by the minion itself.
KNOWN = frozenset(
    (
        *REQUIRED,
        *("tgt_type", "ret", "user", "delimiter", "id", "to", "master_id", "metadata", "auth_list"),
        *("ret_config", "ret_kwargs", "module_executors", "executor_opts", "start_event", "pillar_secrets"),
    )
)


class Serials:
    """Counter of publications under one publish key, on the master."""

    __slots__ = ("last",)

    def __init__(self, last: int = 0) -> None:
        self.last = last

    def take(self) -> int:
        """Return the next serial."""
        return self.next(0)

    def next(self, given: int) -> int:
        """Return `given`, or the next serial if that is 0; counting continues from the returned serial."""
        self.last = given or self.last + 1
        return self.last


class SerialGuard:
    """Newest serial seen under each publish key, on the minion.

    It is kept across sign-ins for as long as the key text stays the same, because otherwise old publications
    would be accepted again. Bound: the latest `MOST_KEYS` keys, more than a minion uses at the same time.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: OrderedDict[bytes, int] = OrderedDict()

    def check(self, job: JobLoad, key: Crypticle) -> None:
        """Remove `serial` from a job; raises WireError when it is not newer than the last."""
        serial = job.pop("serial", None)
        last = self._last.get(key.text)
        # A cluster of stock masters sends no serials; a master that has once sent a serial always sends one.
        if serial is None and last is None:
            return
        if type(serial) is not int or (last is not None and serial <= last):
            raise WireError(f"publication {serial!r} is not newer than the last one, {last}")
        self._last[key.text] = serial
        self._last.move_to_end(key.text)
        if len(self._last) > MOST_KEYS:
            self._last.popitem(last=False)


def seal_publication(
    job: JobLoad,
    key: Crypticle,
    *,
    serial: int | None,
    sign_with: PrivateKey | None,
    sig_algo: str = DEFAULT_SIGNING,
) -> bytes:
    """Return a publication; without `sign_with` (`sign_pub_messages`) it is not signed.

    Publications must be sent in the order of their serials. Signing is a private RSA operation.
    """
    load = key.seal(job if serial is None else {**job, "serial": serial})
    envelope: dict[str, Any] = {"enc": "aes", "load": load}
    if sign_with is not None:
        envelope.update(sig_algo=sig_algo, sig=sign_with.sign(load, sig_algo))
    return pack(envelope)


def open_publication(
    payload: bytes,
    key: Crypticle,
    master: PublicKey,
    guard: SerialGuard,
    *,
    requires_signature: bool = True,
    algorithms: Collection[str] = tuple(SIGNING),
    limits: MessageLimits = AFTER_SIGN_IN,
) -> JobLoad:
    """Return the job of a publication, without unknown fields.

    A signature must be valid if present, whether it is required or not; `algorithms` are those that this
    minion accepts. After SealBroken, sign in again and retry with the same publication.
    """
    envelope = unpack(payload, limits, binary=("load", "sig"))
    if not isinstance(envelope, dict) or envelope.get("enc") != "aes":
        raise WireError("a publication is not sealed")
    load = as_bytes(envelope.get("load"))
    if requires_signature or "sig" in envelope:
        _check_signature(envelope, load, master, algorithms)
    job = key.open(load, limits=limits)
    if not is_job(job) or any(name not in job for name in REQUIRED):
        raise WireError("a publication is not a job: tgt, jid, fun and arg are needed")
    guard.check(job, key)
    known: Any = {name: value for name, value in job.items() if name in KNOWN}
    passed: JobLoad = known
    return passed


def topic_of(id: str) -> bytes:
    """Return the topic of one minion, TOPIC_LENGTH bytes."""
    return hashlib.sha1(id.encode("utf-8"), usedforsecurity=False).hexdigest().encode("ascii")


def topics_of(ids: Iterable[str] | None, *, orders_masters: bool = False) -> list[bytes]:
    """Return the topics of a publication for these minions (None: all); `orders_masters` adds the syndics."""
    if ids is None:
        return [BROADCAST]
    return [topic_of(id) for id in ids] + [SYNDIC] * orders_masters


def payload_of(frames: Sequence[bytes], topics: Collection[bytes]) -> bytes | None:
    """Return the payload of received frames, or None when their topic is not ours."""
    if len(frames) == 1:
        return frames[0]
    if len(frames) != 2:
        raise WireError(f"a publication has {len(frames)} frames")
    return frames[1] if frames[0] in topics else None


def _check_signature(
    envelope: Mapping[str, Any], load: bytes, master: PublicKey, algorithms: Collection[str]
) -> None:
    if "sig" not in envelope:
        raise MasterNotTrusted("a publication is not signed; set sign_pub_messages on the master")
    algorithm = envelope.get("sig_algo", DEFAULT_SIGNING)
    if not isinstance(algorithm, str) or algorithm not in algorithms:
        raise MasterNotTrusted(f"a publication is signed with {algorithm!r}, which is not accepted here")
    if not master.verify(load, as_bytes(envelope["sig"]), algorithm):
        raise MasterNotTrusted("a publication is not signed by the master")
