"""Encrypted request channel to one master, with automatic sign-in.

All requests of the minion to the master (returns, files, pillar, events) go through this channel, so that
callers need no knowledge of keys.
Units: seconds. Bounds: one sign-in at a time; `RequestClient` limits the pending requests.
Errors: NoReply, SignInRefused, MasterNotTrusted, WireError.
Source: wire specification, sections 5.4, 6.1 to 6.4 and 8.
"""

from __future__ import annotations

import logging
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import gevent.lock

from salt_g.errors import MasterNotTrusted, NoReply, NoTurn, SaltGError, SealBroken, SignInRefused
from salt_g.minion.connection.minion_identity import MinionIdentity
from salt_g.minion.connection.replaced_keys import ReplacedKeys
from salt_g.minion.settings import ChannelSettings
from salt_g.process.offload import offload
from salt_g.process.supervisor import LoggedGreenlets
from salt_g.shapes import GrainsDict
from salt_g.shapes.loads import LoadFields
from salt_g.transport.protocols import Payload, RequestTransport
from salt_g.transport.request_client import jitter
from salt_g.wire import auth_client as signing
from salt_g.wire import invitation
from salt_g.wire.aes import Crypticle, new_key_text
from salt_g.wire.auth_client import Grant
from salt_g.wire.load_summary import LoadSummary
from salt_g.wire.pillar_reply import open_pillar
from salt_g.wire.requests import open_reply, seal_registration, seal_request

log = logging.getLogger(__name__)

T = TypeVar("T")

#: Command with its own timeouts and retries.
RETURN = "_return"
#: Time without an answer after which the master's port is probed (s); most sign-ins take a tenth of it.
PATIENCE = 1.0
#: Maximum number of concurrent requests of `ask_ahead`; others wait.
AHEAD = 4
#: Size from which a reply is decrypted in a native thread (bytes).
LARGE = 128 * 1024


class Channel:
    """Channel to one master; implements `services.daemons.Asking`.

    `connect` resolves the master's name and opens the connection; it is called at the first request and again
    after a timeout, because the master's address may have changed. `grains` returns the grains named by
    `autosign_grains`. `on_refused` is called when the master refuses to sign us in.
    """

    def __init__(
        self,
        settings: ChannelSettings,
        identity: MinionIdentity,
        connect: Callable[[], RequestTransport],
        *,
        grains: Callable[[], Mapping[str, Any]] = dict,
        on_refused: Callable[[], None] = lambda: None,
        random_bytes: Callable[[int], bytes] = os.urandom,
        draw: Callable[[float, float], float] = random.uniform,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.identity = identity
        self._settings = settings
        self._connect = connect
        self._grains = grains
        self._on_refused = on_refused
        self._random = random_bytes
        self._draw = draw
        self._now = now
        self._client: RequestTransport | None = None
        self._grant: Grant | None = None
        #: Number of calls of `forget` so far; results of work begun with an earlier master are ignored.
        self._turn = 0
        #: Publish keys of this session that preceded the one in the grant.
        self.replaced_keys = ReplacedKeys()
        #: {command that the master did not know: session in which it refused the command}
        self._lacking: dict[str, Grant] = {}
        self._sign_in_lock: Any = gevent.lock.RLock()
        self._ahead = LoggedGreenlets("requests ahead", limit=AHEAD)
        # A master reports an algorithm that it does not support; no other algorithm is tried.
        self._enc_algo = settings.encryption_algorithm
        self._sig_algo = settings.signing_algorithm

    @property
    def grant(self) -> Grant | None:
        """Result of the last sign-in; None before it, and after `forget`."""
        return self._grant

    def takes(self, feature: str) -> bool:
        """Return whether the master supports a feature beyond stock's protocol, as announced at sign-in."""
        return self._grant is not None and feature in self._grant.features

    def sign_in(self, *, instead_of: Grant | None = None) -> Grant:
        """Return the grant; sign in first if there is none, or if it is still the outdated `instead_of`.

        A caller that finds a key outdated passes its grant; of concurrent callers, only one signs in. A
        sign-in that began with an earlier master, before `forget`, is repeated with the current one. Raise
        SignInRefused, MasterNotTrusted, NoReply, WireError.
        """
        with self._sign_in_lock:
            while True:
                before, turn = self._grant, self._turn
                if before is not None and before is not instead_of:
                    return before
                try:
                    grant = self._sign_in()
                except (SaltGError, OSError):
                    if turn == self._turn:
                        raise
                    continue
                if turn == self._turn:
                    break
            self._grant = grant
            if before is not None:
                self.replaced_keys.note(before.publish, grant.publish)
            return grant

    def sign_in_or_report(self, on_silence: Callable[[], None]) -> Grant:
        """Sign in; call `on_silence` once if the master has not answered for `PATIENCE` seconds.

        An error raised by `on_silence` ends the sign-in and propagates.
        """
        signing = self._ahead.spawn(_outcome, self.sign_in, name="sign-in")
        try:
            if not signing.ready():
                signing.join(PATIENCE)
            if not signing.ready():
                on_silence()
            grant, error = signing.get()
        finally:
            signing.kill(block=False)
        if error is not None:
            raise error
        return grant  # type: ignore[no-any-return]

    def ask(
        self,
        load: LoadFields,
        *,
        timeout: float | None = None,
        tries: int | None = None,
        binary: Sequence[str] = (),
    ) -> Any:
        """Send a load and return the reply; see `services.daemons.Asking`."""

        def read(payload: Payload, grant: Grant, nonce: str) -> Any:
            if len(payload) < LARGE:
                return open_reply(payload, grant.session, nonce, binary=binary)
            return offload(_open_reply, payload, grant.session, nonce, binary)

        return self._ask(load, read, timeout=timeout, tries=tries)

    def ask_ahead(self, load: LoadFields, *, binary: Sequence[str] = ()) -> Callable[[], Any]:
        """Send a load and return a function that waits for the reply; see `services.daemons.Asking`."""
        asking = self._ahead.spawn(_outcome, partial(self.ask, load, binary=binary), name=str(load["cmd"]))

        def reply() -> Any:
            value, error = asking.get()
            if error is not None:
                raise error
            return value

        return reply

    def ask_own(self, load: LoadFields, *, binary: Sequence[str] = ()) -> Any:
        """Send a command specific to salt-g; return the reply, or None if the master lacks the command."""
        command, grant = load["cmd"], self.sign_in()
        if self._lacking.get(command) is grant:
            return None
        reply = self.ask(load, binary=binary)
        if reply != {}:
            return reply
        log.debug("%s: the master does not know the command", command)
        self._lacking[command] = self.sign_in()
        return None

    def ask_pillar(self, load: LoadFields) -> Any:
        """Send a `_pillar` load and return the pillar."""

        def read(payload: Payload, grant: Grant, nonce: str) -> Any:
            key, algorithms = self.identity.key, (self._enc_algo, self._sig_algo)
            return offload(_open_pillar, bytes(payload), key, grant.master, nonce, *algorithms)

        return self._ask(load, read, timeout=None, tries=None)

    def registration(self) -> bytes:
        """Return the message that identifies a subscriber over `tcp`."""
        who = {"id": self.identity.id, "tok": self.identity.tok}
        return seal_registration(who, self.sign_in().publish)

    def forget(self) -> None:
        """Drop the session and the connection, because the next request may go to another master."""
        self._turn += 1
        self._grant = None
        self.replaced_keys.forget()
        self.close()

    def close(self) -> None:
        """Close the connections; the next request opens them again."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    # Requests

    def _ask(
        self,
        load: LoadFields,
        read: Callable[[Payload, Grant, str], T],
        *,
        timeout: float | None,
        tries: int | None,
    ) -> T:
        grant = self.sign_in()
        try:
            return self._exchange(load, read, grant, timeout=timeout, tries=tries)
        # After a refusal, or pillar signed with a key that the master has replaced, retry once with a new
        # grant.
        except (SealBroken, MasterNotTrusted) as exc:
            log.debug("%s: %s; signing in again", load.get("cmd"), exc)
        return self._exchange(load, read, self.sign_in(instead_of=grant), timeout=timeout, tries=tries)

    def _exchange(
        self,
        load: LoadFields,
        read: Callable[[Payload, Grant, str], T],
        grant: Grant,
        *,
        timeout: float | None,
        tries: int | None,
    ) -> T:
        """Send a request, with retries after timeouts; each attempt has a new nonce."""
        limit = self._limit(load) if timeout is None else (lambda: timeout)
        for is_last in [False] * (self._tries(load, tries) - 1) + [True]:
            nonce = self._new_nonce()
            try:
                answer = self._send(self._sealed(load, grant, nonce), limit())
                log.debug("request to the master: %s, answered with %d bytes", LoadSummary(load), len(answer))
                return read(answer, grant, nonce)
            except NoReply as exc:
                log.debug("request to the master: %s, without answer: %s", LoadSummary(load), exc)
                if is_last:
                    raise
        raise AssertionError("the last try returns or raises")

    def _send(self, payload: bytes, timeout: float) -> Payload:
        client = self._connection()
        try:
            return client.request(payload, timeout=timeout)
        except NoTurn:
            # The request was not sent, because other requests of this minion use all connections.
            raise
        except NoReply:
            # The master's address may have changed. A concurrent caller may have reconnected meanwhile.
            if self._client is client:
                self.close()
            raise

    def _connection(self) -> RequestTransport:
        """Return the connection to the master; if there is none, open it while other greenlets run."""
        while self._client is None:
            turn, opened = self._turn, self._connect()
            if self._client is None and turn == self._turn:
                self._client = opened
            else:
                opened.close()
        return self._client

    def _sealed(self, load: LoadFields, grant: Grant, nonce: str) -> bytes:
        signs = self._settings.minion_sign_messages
        return seal_request(
            load,
            self.identity.id,
            grant.session,
            nonce=nonce,
            now=self._now(),
            tok=self.identity.tok,
            enc_algo=self._enc_algo,
            sig_algo=self._sig_algo,
            sign_with=self.identity.key if signs else None,
        )

    def _limit(self, load: LoadFields) -> Callable[[], float]:
        """Return a function that returns the timeout of the next try for a command."""
        if load.get("cmd") == RETURN:
            low = self._settings.return_retry_timer
            return jitter(low, max(low, self._settings.return_retry_timer_max), self._draw)
        limit = self._settings.request_channel_timeout
        return lambda: limit

    def _tries(self, load: LoadFields, tries: int | None) -> int:
        if tries is None:
            is_return = load.get("cmd") == RETURN
            tries = self._settings.return_retry_tries if is_return else self._settings.request_channel_tries
        return max(1, int(tries))

    def _new_nonce(self) -> str:
        return self._random(16).hex()

    # Signing in

    def _sign_in(self) -> Grant:
        """Sign in; after timeouts, try again, up to `auth_tries` times in all."""
        tries = max(1, self._settings.auth_tries)
        for is_last in [False] * (tries - 1) + [True]:
            try:
                return self._sign_in_once()
            except SignInRefused:
                self._on_refused()
                raise
            except NoReply:
                if is_last:
                    raise
        raise AssertionError("the last try returns or raises")

    def _sign_in_once(self) -> Grant:
        trust = self.identity.trust()
        payload, attempt = signing.ask(
            self.identity.id,
            self.identity.key.public,
            trust,
            nonce=self._new_nonce(),
            token=new_key_text(self._random),
            enc_algo=self._enc_algo,
            sig_algo=self._sig_algo,
            autosign_grains=self._autosign_grains(),
        )
        answer = self._send(payload, self._settings.auth_timeout)
        grant = offload(signing.read_answer, bytes(answer), attempt, self.identity.key, trust)
        if grant.is_new_master:
            self.identity.remember(grant.master)
        self.identity.forget_invitation()
        log.info("signed in as %s", self.identity.id)
        return grant

    def _autosign_grains(self) -> GrainsDict:
        wanted = self._settings.autosign_grains
        grains = self._grains() if wanted else {}
        shown = {name: grains.get(name) for name in wanted}
        code = self.identity.invitation()
        if code is not None:
            shown[invitation.GRAIN] = invitation.offer(code, self.identity.id, self.identity.key.public.pem)
        return shown


def _open_pillar(payload: bytes, key: Any, master: Any, nonce: str, enc_algo: str, sig_algo: str) -> Any:
    return open_pillar(payload, key, master, nonce, enc_algo=enc_algo, sig_algo=sig_algo)


def _open_reply(payload: Payload, session: Crypticle, nonce: str, binary: Sequence[str]) -> Any:
    return open_reply(payload, session, nonce, binary=binary)


def _outcome(ask: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """Return (reply, None) or (None, error), so that the caller awaiting the reply can raise the error."""
    try:
        return ask(), None
    except (SaltGError, OSError) as exc:
        return None, exc
