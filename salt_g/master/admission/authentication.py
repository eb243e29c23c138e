"""Authentication of minions: command `_auth`.

The only request open to unauthenticated peers, and the most expensive one. An answer needs one or two private
RSA operations, run in native threads; one processor is left to the hub, so that a storm of sign-ins does not
delay jobs.
Source: wire specification, sections 5.2 to 5.6.
"""

from __future__ import annotations

import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import gevent.lock

from salt_g.errors import StoreError, WireError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.keys.admission import AdmissionVerdict
from salt_g.keys.policy import Policy
from salt_g.keys.store import KeyStore
from salt_g.master.admission.outage import Outage
from salt_g.master.admission.sessions import MinionSessions
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.settings import AuthenticationSettings
from salt_g.process.offload import offload
from salt_g.transport.protocols import Arrival
from salt_g.wire.auth_server import MasterIdentity, SignIn, accept, read_sign_in, refuse
from salt_g.wire.envelope import Envelope, read_envelope
from salt_g.wire.ids import is_valid_id
from salt_g.wire.invitation import without_offer
from salt_g.wire.packing import BEFORE_SIGN_IN
from salt_g.wire.rsa import PublicKey

log = logging.getLogger(__name__)

#: The text `_auth` in msgpack.
_MARK = b"\xa5_auth"
#: Largest sign-in (bytes). With 8192-bit keys it takes 3 KiB (1.4 for the public key as text, 1.0 for the
#: encrypted token, 1.0 for a signature); the rest is for `autosign_grains`.
MAX_SIGN_IN = 8 * 1024
#: Time after its sign-in during which a minion counts as connected without a check (s).
ON_ITS_WAY = 5.0


class Authentication:
    """Handler of `_auth`."""

    def __init__(
        self,
        settings: AuthenticationSettings,
        *,
        identity: MasterIdentity,
        keys: KeyStore,
        policy: Policy,
        sessions: MinionSessions,
        publish_keys: PublishKeys,
        bus: Bus,
        connected: Callable[[], set[str]] = set,
        why_reserved: Callable[[str], str] = lambda id: "",
        claim: Callable[[str, str], None] = lambda id, pem: None,
        on_let_in: Callable[[str], None] = lambda id: None,
        on_pending: Callable[[str], None] = lambda id: None,
    ) -> None:
        """Initialize; `connected` returns the connected minions, for `max_minions`.

        `why_reserved(id)` returns why an id is not available to new minions, '' if it is.

        `claim(id, pem)` is called for each accepted minion before its session begins, `on_let_in(id)`
        afterwards, and `on_pending(id)` for each sign-in whose key waits for acceptance.
        """
        self._settings = settings
        self._identity = identity
        self._keys = keys
        self._policy = policy
        self._sessions = sessions
        self._publish_keys = publish_keys
        self._bus = bus
        self._connected = connected
        self._why_reserved = why_reserved
        self._claim = claim
        self._on_let_in = on_let_in
        self._on_pending = on_pending
        self._let_in_at: dict[str, float] = {}
        self._processors = gevent.lock.Semaphore(max(1, (os.cpu_count() or 1) - 1))
        self._deciding = gevent.lock.Semaphore(1)
        self._outage = Outage()
        #: Number of sign-ins by result: `accept`, `pend`, `reject`, `denied`, `full`, `error`.
        self.verdicts: Counter[str] = Counter()

    def answer(self, envelope: Envelope, arrival: Arrival) -> bytes:
        """Return the answer to a sign-in; raise Postponed while keys, lists or owners cannot be read."""
        with self._outage.postponing("sign-ins", StoreError, OSError):
            return self._answer(envelope, arrival)

    def _answer(self, envelope: Envelope, arrival: Arrival) -> bytes:
        sign_in = read_sign_in(envelope)
        verdict = self._decide(sign_in)
        self.verdicts[verdict.act] += 1
        log.debug("%s from %s: %s: %s", sign_in.id, arrival.address, verdict.act, verdict.reason)
        if verdict.is_accepted and sign_in.public is not None:
            reply = self._let_in(sign_in, sign_in.public, arrival.address)
        else:
            reply = self._refuse(sign_in, verdict)
        if verdict.act == "pend":
            self._on_pending(sign_in.id)
        self._fire_auth(sign_in, verdict)
        return reply

    def _let_in(self, sign_in: SignIn, public: PublicKey, address: str) -> bytes:
        with self._processors:
            publish = self._publish_keys.current()
            generation = self._publish_keys.generation
            self._claim(sign_in.id, public.pem)
            session = self._sessions.begin(sign_in.id, public, now=time.monotonic())
            # Set before the answer is built, because from now on this minion counts as knowing the publish
            # key.
            session.generation = generation
            session.note(address, time.monotonic())
            key = session.ring.current.crypticle
            reply = offload(accept, sign_in, self._identity, publish, key, time.time(), self._settings.offers)
        self._on_let_in(sign_in.id)
        if self._settings.max_minions > 0:
            self._let_in_at[sign_in.id] = time.monotonic()
        return reply

    def _refuse(self, sign_in: SignIn, verdict: AdmissionVerdict) -> bytes:
        with self._processors:
            return offload(refuse, sign_in, verdict.answer, self._identity.key)

    def _decide(self, sign_in: SignIn) -> AdmissionVerdict:
        if sign_in.public is None:
            log.warning("%.64r: sign-in refused: %s", sign_in.id, sign_in.problem)
            return AdmissionVerdict("error", sign_in.problem)
        pem, full = sign_in.public.pem, self._full(sign_in.id)
        # One decision at a time, so that none about the same id is made before the files of this one are
        # written.
        with self._deciding:
            return self._keys.admit(sign_in.id, pem, self._policy, grains=sign_in.autosign_grains, full=full)

    def _full(self, id: str) -> str:
        """Return why this minion is refused (reserved id, `max_minions` reached), '' if it is not."""
        reserved = self._why_reserved(id)
        if reserved:
            log.warning("audit: sign-in refused: %s", reserved)
            return reserved
        limit = self._settings.max_minions
        if limit <= 0:
            return ""
        connected = self._connected() | self._recent_sign_ins()
        if len(connected) < limit or id in connected:
            return ""
        log.warning("%s: sign-in refused, because max_minions (%d) are connected", id, limit)
        return f"max_minions ({limit}) are connected"

    def _recent_sign_ins(self) -> set[str]:
        """Return the minions that signed in recently and may not count as connected yet."""
        now = time.monotonic()
        self._let_in_at = {id: at for id, at in self._let_in_at.items() if now - at < ON_ITS_WAY}
        return set(self._let_in_at)

    def _fire_auth(self, sign_in: SignIn, verdict: AdmissionVerdict) -> None:
        if sign_in.public is None or not is_valid_id(sign_in.id):
            return
        if verdict.invitation:
            self._bus.fire_payload(payloads.key_invited(sign_in.id, verdict.invitation, sign_in.public.pem))
        if not self._settings.auth_events:
            return
        self._bus.fire_payload(
            payloads.auth(
                verdict.act,
                sign_in.id,
                sign_in.public.pem,
                result=verdict.is_accepted or verdict.act == "pend",
                autosign_grains=event_grains(self._settings, verdict.act, sign_in.autosign_grains),
            )
        )


def event_grains(
    settings: AuthenticationSettings, act: str, grains: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the grains to include in the event of a sign-in, None for no grains."""
    return without_offer(grains) if act in settings.events_with_grains else None


def is_sign_in(payload: bytes) -> bool:
    """Return whether a message looks like a sign-in, without parsing it.

    One encrypted message in 2^40 matches by accident, and is still served then, or resent by its sender.
    """
    return len(payload) < BEFORE_SIGN_IN.size and _MARK in payload


def may_be_sign_in(payload: bytes) -> bool:
    """Return whether a message looks like a sign-in and is within the size limit."""
    return len(payload) <= MAX_SIGN_IN and _MARK in payload


def sign_in_key(arrival: Arrival) -> Hashable:
    """Return (address, id, key) of a sign-in, None for any other message.

    A request with another key, or from another address, never replaces the minion's own request.
    """
    try:
        load = read_envelope(arrival.payload, minimum_version=0).load
    except WireError:
        return None
    if (
        not isinstance(load, dict)
        or not isinstance(load.get("id"), str)
        or not isinstance(load.get("pub"), str)
    ):
        return None
    return (arrival.address, load["id"], load["pub"])
