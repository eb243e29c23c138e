"""Session with a master: search, sign-in, subscription, reception, reconnection.

Both channels (requests and publications) are one state machine, so that they never belong to two masters, and
so that every reconnection takes the same steps: resolve, sign in, subscribe.
Units: seconds.
Errors: `run` raises KeyRejected when the master has proven that it rejects our key, and the last error after
`master_tries` attempts.
Source: wire specification, sections 5.4, 7 and 13.4; stock's settings for several masters.
"""

from __future__ import annotations

import errno
import itertools
import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from salt_g.errors import MasterNotTrusted, MasterUnreachable, SaltGError, SignInRefused
from salt_g.minion.connection.channel import PATIENCE, Channel
from salt_g.minion.connection.masters import MasterAddress
from salt_g.minion.connection.minion_identity import MinionIdentity
from salt_g.minion.connection.port_check import PortProblem
from salt_g.minion.settings import ChannelSettings, SessionSettings
from salt_g.transport.protocols import RequestTransport, SubscribeTransport

log = logging.getLogger(__name__)

#: Interval of checks while no publications arrive (s).
LOOK_INTERVAL = 1.0
#: How long the subscription may take before the minion reports that it is ready anyway (s).
SUBSCRIBE_TIMEOUT = 5.0
#: Timeout for a connection to a master, which otherwise does not count as alive (s).
ALIVE_TIMEOUT = 5.0
#: Maximum number of waiting publications taken at once.
MOST_ARRIVED = 1000
#: Errors caused by a shortage on this host (descriptors, memory).
OWN_LACKS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Network(Protocol):
    """Network access to masters, implemented in `connect.py`."""

    def connect(self, place: MasterAddress) -> RequestTransport:
        """Return a client of a master's request server."""

    def subscribe(
        self,
        place: MasterAddress,
        port: int,
        topics: Sequence[bytes],
        registration: Callable[[], bytes],
    ) -> SubscribeTransport:
        """Return a subscriber of a master's publisher; `registration` returns our identification (`tcp`)."""

    def is_alive(self, place: MasterAddress, *, timeout: float) -> bool:
        """Return whether a master's request server accepts connections."""

    def request_problem(self, place: MasterAddress) -> PortProblem | None:
        """Return why a master's request server does not answer, or None if the server is listening."""

    def publish_problem(self, place: MasterAddress, port: int, announced: int) -> PortProblem | None:
        """Return why no jobs arrive from a publish port; `announced` is the port the master announced."""


class ConnectionLost(Exception):
    """Raised to start over: the master is lost or no longer accepts us, or a better one is available."""


class MasterSession:
    """Session with one master of `places`; with `master_type: failover` there are several to choose from.

    `on_connected(is_new)` is called when the minion has subscribed, before it receives; `on_frames` receives
    each publication, and `on_trouble` is called when a master does not accept us (yet) or does not answer.
    `place` is the current master.
    """

    def __init__(
        self,
        places: Sequence[MasterAddress],
        settings: SessionSettings,
        channel_settings: ChannelSettings,
        identity: MinionIdentity,
        network: Network,
        *,
        topics: Sequence[bytes] = (b"",),
        on_connected: Callable[[bool], None],
        on_frames: Callable[[Sequence[bytes]], None],
        on_trouble: Callable[[], None] = lambda: None,
        grains: Callable[[], Mapping[str, Any]] = dict,
        draw: Callable[[float, float], float] = random.uniform,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._places = list(places)
        self._settings = settings
        self._network = network
        self._topics = topics
        self._on_connected = on_connected
        self._on_frames = on_frames
        self._on_trouble = on_trouble
        self._draw = draw
        self._sleep = sleep
        self._clock = clock
        self.place = self._places[0]
        self.channel = Channel(
            channel_settings,
            identity,
            lambda: network.connect(self.place),
            grains=grains,
            on_refused=self._refused,
        )
        self.is_connected = False
        #: Number of connections so far; each is a sign-in and a subscription.
        self.connections = 0
        self._was_lost = False
        #: Whether a master has refused this minion's key since the last sign-in.
        self._is_refused = False
        self._known: MasterAddress | None = None
        self._rounds = 0
        self._subscriber: SubscribeTransport | None = None

    @property
    def name(self) -> str:
        """Name of this session, which is the name of its only or first master."""
        return self._places[0].name

    def run(self) -> None:
        """Connect and receive until an error is final; raise that error."""
        while True:
            try:
                self._connect()
                self._rounds = 0
                self._listen()
            except ConnectionLost as exc:
                log.warning("master %s: %s", self.place.name, exc)
            except (SaltGError, OSError) as exc:
                # A shortage of local resources says nothing about the master, so it does not count as an
                # attempt.
                self._rounds += not _is_own_lack(exc)
                self._raise_if_final(exc)
                self._on_trouble()
                log.error("no master accepts this minion: %s", exc)
            finally:
                self._leave()
            self._sleep(self._pause())

    def _connect(self) -> None:
        """Sign in to the first master that accepts us, in order; raise the error of the last one."""
        for place, is_last in self._in_turn():
            self.place = place
            self.channel.forget()
            try:
                self._sign_in()
                self._was_lost = False
                return
            except (SaltGError, OSError) as exc:
                if is_last:
                    raise
                log.warning("master %s: %s; trying the next one", place.name, exc)

    def _in_turn(self) -> Iterator[tuple[MasterAddress, bool]]:
        """Yield each master in turn, and whether it is the last; the master that was lost comes last.

        With `master_failback` the order is that of the settings.
        """
        start = 0 if self._settings.master_failback else self._places.index(self.place) + self._was_lost
        start %= len(self._places)
        places = self._places[start:] + self._places[:start]
        for number, place in enumerate(places, 1):
            yield place, number == len(places)

    def _sign_in(self) -> None:
        """Sign in to the current master; wait while our key is pending there.

        After `auth_retries` tries (0: no limit) raise the refusal, so that the next master is tried.
        """
        pause = self._settings.acceptance_wait_time
        longest = self._settings.acceptance_wait_time_max
        most = self._settings.auth_retries
        for asked in itertools.count(1):
            try:
                self.channel.sign_in_or_report(self._report_silence)
                self._is_refused = False
                return
            except SignInRefused as exc:
                self._check_verdict(exc)
                self._on_trouble()
                if 0 < most <= asked:
                    raise
                log.error("%s; asking again in %g s", self._refusal_text(exc), pause)
            self._sleep(pause)
            if longest > pause:
                pause = min(longest, pause + self._settings.acceptance_wait_time)

    def _report_silence(self) -> None:
        """Log why the master does not answer, while the sign-in continues."""
        problem = self._network.request_problem(self.place)
        if problem is not None:
            self._on_trouble()
            log.error("master %s: %s", self.place.name, problem.text)

    def _refused(self) -> None:
        """Treat the master as new, because it may have deleted our key and its data about this minion."""
        self._is_refused, self._known = True, None

    def _refusal_text(self, exc: SignInRefused) -> str:
        if exc.reason == "rejected":
            return f"master {self.place.name}: {rejected_text(self._settings.id)}"
        if exc.reason != "pending":
            return f"master {self.place.name} does not accept this minion: {exc.reason}"
        invited = self.channel.identity.invitation() is not None
        why = " Its invitation does not count: `salt-g key -L` there says why." if invited else ""
        return (
            f"master {self.place.name} has the key of this minion but has not accepted it.{why}"
            f" To accept it, on the master: salt-g key -a {self._settings.id}"
        )

    def _check_verdict(self, exc: SignInRefused) -> None:
        """Raise KeyRejected for a proven rejection of our key, unless `rejected_retry` is set."""
        if exc.reason == "rejected" and exc.proven and not self._settings.rejected_retry:
            raise KeyRejected(self.place.name, self._settings.id) from exc

    def _listen(self) -> None:
        grant = self.channel.sign_in()
        port = self._publish_port(grant.publish_port)
        subscriber = self._network.subscribe(self.place, port, self._topics, self.channel.registration)
        self._subscriber = subscriber
        try:
            if not subscriber.wait_up(timeout=PATIENCE):
                self._await_publisher(subscriber, port, grant.publish_port)
            self._receive(subscriber)
        finally:
            self._subscriber = None
            subscriber.close()

    def arrived(self) -> Iterator[Sequence[bytes]]:
        """Yield the publications that have already arrived, at most `MOST_ARRIVED`; used by `on_frames`."""
        subscriber, taken = self._subscriber, 0
        while subscriber is not None and subscriber.is_up and taken < MOST_ARRIVED:
            frames = subscriber.receive(timeout=0)
            if frames is None:
                return
            taken += 1
            yield frames

    def _await_publisher(self, subscriber: SubscribeTransport, port: int, announced: int) -> None:
        """Wait for a delayed subscription; log the cause of the delay."""
        problem = self._network.publish_problem(self.place, port, announced)
        if problem is not None:
            self._on_trouble()
            log.error("master %s: %s", self.place.name, problem.text)
        if not subscriber.wait_up(timeout=SUBSCRIBE_TIMEOUT) and problem is None:
            log.warning("master %s: the publish port does not answer yet", self.place.name)
            self._on_trouble()

    def _receive(self, subscriber: SubscribeTransport) -> None:
        heard = looked = self._clock()
        while True:
            if not self.is_connected and subscriber.is_up:
                self._announce()
            frames = subscriber.receive(timeout=LOOK_INTERVAL)
            now = self._clock()
            if self._is_refused:
                raise ConnectionLost("the master no longer accepts this minion's key")
            if frames is not None:
                self._on_frames(frames)
            if frames is not None or subscriber.is_up:
                heard = now
            elif now - heard > self._publisher_timeout():
                raise ConnectionLost(f"no connection to its publisher for {now - heard:.0f} s")
            looked = self._check_better_master(looked, now)

    def _announce(self) -> None:
        """Report that jobs can be received, and whether the master differs from the previous one."""
        self.is_connected = True
        self.connections += 1
        is_new, self._known = self.place != self._known, self.place
        self._on_connected(is_new)

    def _publisher_timeout(self) -> float:
        """Return how long the publisher may be disconnected; until then libzmq reconnects on its own."""
        interval = self._settings.master_alive_interval
        if interval > 0 and len(self._places) > 1:
            return interval
        return max(LOOK_INTERVAL, self._settings.retry_dns)

    def _check_better_master(self, looked: float, now: float) -> float:
        """Raise ConnectionLost if the first master is available again; return the time of the last check."""
        interval = self._settings.master_failback_interval
        if not (self._settings.master_failback and interval > 0) or now - looked < interval:
            return looked
        first = self._places[0]
        if self.place != first and self._network.is_alive(first, timeout=ALIVE_TIMEOUT):
            raise ConnectionLost(f"master {first.name} is available again")
        return now

    def _publish_port(self, announced: int) -> int:
        """Return the configured publish port unless it is the default, else the port the master announced."""
        own = self._settings.publish_port
        return own if own not in (0, 4505) else announced

    def _leave(self) -> None:
        if self.is_connected:
            self.is_connected, self._was_lost = False, True
        self.channel.close()

    def _pause(self) -> float:
        """Return the pause before the next round, spread so that minions do not retry all at once."""
        low, spread = self._settings.recon_default, self._settings.recon_max
        return self._draw(low, low + spread) if self._settings.recon_randomize else low

    def _raise_if_final(self, exc: Exception) -> None:
        """Raise the error if the configured number of tries is reached or the key is rejected."""
        tries = self._settings.master_tries
        if isinstance(exc, KeyRejected) or 0 < tries <= self._rounds:
            if not isinstance(exc, SaltGError):
                # An expected error, reported in one line without a traceback.
                raise MasterUnreachable(f"master {self.place.name}: {exc}") from exc
            raise exc
        if isinstance(exc, MasterNotTrusted):
            log.critical("master %s could not be authenticated as the known master", self.place.name)


def rejected_text(id: str) -> str:
    """Return advice about a rejected key; the master does not say if it has another key for this id."""
    return (
        f"it rejects the key of this minion; `salt-g key -L` there shows why: under Denied, another host uses"
        f" the id {id!r} (set another `id:` here) or this host's key is new (salt-g key -d {id} there, then"
        f" -a {id}); under Rejected, salt-g key -d {id}"
    )


def _is_own_lack(exc: Exception) -> bool:
    return isinstance(exc, OSError) and exc.errno in OWN_LACKS


class KeyRejected(SaltGError):
    """Raised when the master has proven that it rejects this minion's key, so that a retry is useless."""

    def __init__(self, master: str, id: str) -> None:
        super().__init__(f"master {master}: {rejected_text(id)}; rejected_retry: true asks again")
