"""Request handler of port 4506, from envelope to answer.

The three kinds of requests are distinguished here: sign-ins, encrypted requests of minions, clear requests
of the command line. Commands are called from here only.
Source: wire specification, sections 6 and 10; security properties 1, 9, 13, 19.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from salt_g.errors import SealBroken, WireError
from salt_g.master.admission.authentication import may_be_sign_in
from salt_g.master.admission.outage import Outage
from salt_g.master.admission.sessions import MinionSession, MinionSessions, OldChecks
from salt_g.master.commands import WireCommand, serve
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.settings import RequestSettings
from salt_g.process.offload import offload
from salt_g.transport.protocols import Arrival, Unanswered
from salt_g.wire.envelope import Envelope, read_envelope
from salt_g.wire.packing import BEFORE_SIGN_IN, FROM_MINION, MessageLimits, Packed, pack_network
from salt_g.wire.requests import (
    SESSION_SINCE,
    SealedRequest,
    open_old_request,
    open_request,
    plain_reply,
    seal_plain_reply,
    unseal_request,
)
from salt_g.wire.sessions import KeyRing
from salt_g.wire.strings import has_long_part
from salt_g.wire.value_size import is_light

log = logging.getLogger(__name__)

#: Commands that stock's minions resend with the original nonce.
REPLAYS = ("_pillar",)
#: Size (bytes) from which a message is decrypted or encrypted in a native thread, because decoding
#: that many maps of one byte each takes 8 ms on the hub.
LARGE = 16 * 1024


class Requests:
    """Handler of the request server.

    `sign_in` and `clear` answer unencrypted requests; `is_local` returns whether an address is one of this
    host, whose clear requests may be large.
    """

    def __init__(
        self,
        settings: RequestSettings,
        *,
        sessions: MinionSessions,
        publish_keys: PublishKeys,
        commands: Mapping[str, WireCommand],
        sign_in: Callable[[Envelope, Arrival], bytes],
        clear: Callable[[Mapping[str, Any], Arrival], bytes],
        is_local: Callable[[str], bool],
        check: Callable[[MinionSession, SealedRequest], None] = lambda session, request: None,
        most_of_one: int = 64,
    ) -> None:
        """Initialize; `most_of_one` limits the concurrent requests of one minion.

        `check` raises an error to refuse a request although its session is valid.
        """
        self._minimum_version = settings.minimum_auth_version
        if self._minimum_version < SESSION_SINCE:
            log.warning(
                "minimum_auth_version is %d: requests of protocols before %d are accepted,"
                " with weaker authentication",
                self._minimum_version,
                SESSION_SINCE,
            )
        self._ttl = settings.request_server_ttl
        self._sessions = sessions
        self._publish_keys = publish_keys
        self._commands = commands
        self._sign_in = sign_in
        self._clear = clear
        self._is_local = is_local
        self._check = check
        self._most_of_one = most_of_one
        self._served: Counter[str] = Counter()
        self._outage = Outage()

    def __call__(self, arrival: Arrival) -> bytes:
        """Return the answer to a request; an exception is answered as a refusal."""
        envelope = self._envelope(arrival)
        if not envelope.is_sealed:
            if envelope.load.get("cmd") == "_auth":
                if not may_be_sign_in(arrival.payload):
                    raise WireError(f"a malformed sign-in of {len(arrival.payload)} bytes")
                return self._sign_in(envelope, arrival)
            return self._clear(envelope.load, arrival)
        with self._outage.postponing("requests of minions"):
            request = self._opened(envelope, arrival)
        with self._share_of(request.id):
            reply, is_sealed = serve(self._commands, request)
            if is_sealed:
                sealed: bytes = reply
                return sealed
            return _sealed(request, reply)

    @contextmanager
    def _share_of(self, id: str) -> Iterator[None]:
        """Count a request of a minion as active during the block; raise Unanswered above the limit."""
        if self._served[id] >= self._most_of_one:
            raise Unanswered(f"{id} has {self._most_of_one} open requests, the limit for one minion")
        self._served[id] += 1
        try:
            yield
        finally:
            self._served[id] -= 1
            if not self._served[id]:
                del self._served[id]

    def _envelope(self, arrival: Arrival) -> Envelope:
        limits = FROM_MINION if self._is_of_host(arrival.address) else BEFORE_SIGN_IN
        if len(arrival.payload) < LARGE:
            return read_envelope(arrival.payload, minimum_version=self._minimum_version, clear_limits=limits)
        envelope, problem = offload(_large_envelope, arrival.payload, self._minimum_version, limits)
        if envelope is None:
            raise WireError(problem[0], answer=problem[1])
        return envelope

    def _is_of_host(self, address: str) -> bool:
        """Return whether a request comes from this host and so may be large; False for unknown origins."""
        try:
            return self._is_local(address)
        except OSError:
            return False

    def _opened(self, envelope: Envelope, arrival: Arrival) -> SealedRequest:
        if envelope.version < SESSION_SINCE:
            return self._opened_old(envelope)
        session = self._sessions.of_sender(envelope.id)
        now = time.monotonic()
        how: dict[str, Any] = {"now": time.time(), "clock": now, "ttl": self._ttl, "replays": REPLAYS}
        if len(arrival.payload) < LARGE:
            request = open_request(envelope, session.ring, session.is_genuine, **how)
        else:
            unseal = partial(unseal_request, **how)
            request, use_up = offload(unseal, envelope, session.ring, session.is_genuine)
            # The key may have been revoked meanwhile, and the id may belong to another key now.
            if self._sessions.of_sender(envelope.id) is not session:
                raise SealBroken(f"the session of {envelope.id} has ended")
            use_up()
        session.note(arrival.address, now)
        self._check(session, request)
        return request

    def _opened_old(self, envelope: Envelope) -> SealedRequest:
        now = time.monotonic()
        ring = KeyRing(self._publish_keys.current(), now=now)
        request = open_old_request(envelope, ring, _mapping(OldChecks(self._sessions)), clock=now)
        if not request.id:
            raise WireError("a request of an old protocol does not authenticate its sender")
        return request


def _large_envelope(
    payload: bytes, minimum_version: int, limits: MessageLimits
) -> tuple[Envelope | None, tuple[str, Any]]:
    """Return the envelope of a large request, or (error message, answer).

    An error raised across threads keeps its stack, and with it the request, until garbage collection.
    """
    try:
        return read_envelope(payload, minimum_version=minimum_version, clear_limits=limits), ("", None)
    except WireError as exc:
        return None, (str(exc), exc.answer)


def _sealed(request: SealedRequest, value: Any) -> bytes:
    may_pack_here = has_long_part(value) or is_light(value)
    plain = plain_reply(request, value if may_pack_here else Packed(offload(pack_network, value)))
    is_large = sum(map(len, plain)) >= LARGE
    return offload(seal_plain_reply, request, plain) if is_large else seal_plain_reply(request, plain)


def _mapping(checks: Any) -> Any:
    """Return token checks, typed as a Mapping; `open_old_request` uses only membership and items."""
    return checks
