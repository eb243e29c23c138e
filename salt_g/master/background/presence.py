"""Presence: which minions are connected.

The publish port does not report its connections. A minion counts as connected when the address of its last
request has a connection to the publish port; where several minions share an address, as many of them as there
are connections, the most recently heard first.
Units: seconds.
Source: wire specification, section 11.5; stock asks the kernel for connections as well.
"""

from __future__ import annotations

import collections
import functools
import ipaddress
import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.admission.sessions import Session, Sessions

#: The kernel's tables of TCP connections, and the state code of an open one.
_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_ESTABLISHED = "01"
#: How long an answer of the kernel is cached (s).
KEPT = 0.25
#: Without such tables: how long a minion counts as connected after its last request (s).
SILENCE = 3600.0
#: Number of addresses whose normal form is cached: computing one takes 20 µs, and nearly all recur.
REMEMBERED = 16_384


class Presence:
    """Tracker of connected minions; implements `daemon_services.Presence`."""

    def __init__(
        self, sessions: Sessions, publish_port: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._sessions = sessions
        self._port = publish_port
        self._clock = clock
        self._counted: collections.Counter[str] | None = None
        self._counted_at = -math.inf
        self._before: set[str] = set()

    def connected(self) -> set[str]:
        """Return the ids of accepted minions that have a connection now."""
        self.refresh()
        return self.connected_lately()

    def connected_lately(self) -> set[str]:
        """Return the ids connected at most `KEPT` seconds ago, for callers at each sign-in."""
        return {session.id for session in self._connected()}

    def addresses(self) -> Mapping[str, str]:
        """Return the last known address of each connected minion."""
        return {session.id: session.address for session in self._connected()}

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return those of `ids` that certainly have no connection; `answered` certainly have one.

        Behind an address with more connections than ids that have answered, each of the other ids may be
        connected; and a connection from an address without a known minion may be anyone's.
        """
        open_now = self.connections()
        if open_now is None:
            return set()
        at: dict[str, set[str]] = collections.defaultdict(set)
        for session in self._sessions:
            if session.seen:
                at[normal(session.address)].add(session.id)
        if not open_now.keys() <= at.keys():
            return set()
        alive = set(answered)
        doubtful = {
            id for address in open_now for id in at[address] if open_now[address] > len(at[address] & alive)
        }
        return set(ids) - doubtful - alive

    def connections(self) -> collections.Counter[str] | None:
        """Return the number of connections to the publish port by address, None if unknown."""
        now = self._clock()
        if now - self._counted_at >= KEPT:
            self._counted, self._counted_at = open_connections(self._port), now
        return self._counted

    def refresh(self) -> None:
        """Query the kernel again, for a decision that is made once."""
        self._counted_at = -math.inf

    def fire_events(self, bus: Bus) -> None:
        """Fire the presence events: new, lost and connected minions."""
        now = self.connected()
        for draft in payloads.presence(now, self._before):
            bus.fire_draft(draft)
        self._before = now

    def _connected(self) -> Iterator[Session]:
        heard = [session for session in self._sessions if session.seen]
        open_now = self.connections()
        if open_now is None:
            yield from _recent(heard, self._clock())
            return
        by_address: dict[str, list[Session]] = collections.defaultdict(list)
        for session in heard:
            by_address[session.address].append(session)
        for address, sessions in by_address.items():
            sessions.sort(key=lambda session: session.seen, reverse=True)
            yield from sessions[: open_now[normal(address)]]


def open_connections(port: int) -> collections.Counter[str] | None:
    """Return {peer's address: open connections to `port`}, None where the kernel has no such table."""
    counted: collections.Counter[str] = collections.Counter()
    read = 0
    for table in _TABLES:
        try:
            with open(table, encoding="ascii") as lines:
                counted.update(_peers(lines.readlines()[1:], f":{port:04X}"))
            read += 1
        except FileNotFoundError:
            continue
        except OSError:
            # A partial table would count connected minions as lost.
            return None
    return counted if read else None


@functools.lru_cache(maxsize=REMEMBERED)
def normal(address: str) -> str:
    """Return an address in the form in which it is counted: IPv4-mapped IPv6 as IPv4."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(ip, "ipv4_mapped", None) or ip)


def _peers(lines: Collection[str], local_end: str) -> Iterator[str]:
    for line in lines:
        # sl local_address rem_address st ...
        _, local, remote, state, *_ = line.split(None, 4)
        if state == _ESTABLISHED and local.endswith(local_end):
            yield _address(remote.partition(":")[0])


@functools.lru_cache(maxsize=REMEMBERED)
def _address(text: str) -> str:
    """Return an address of the kernel's table: 32-bit words in the machine's byte order, as hex."""
    words = [bytes.fromhex(text[place : place + 8])[::-1] for place in range(0, len(text), 8)]
    return normal(str(ipaddress.ip_address(b"".join(words))))


def _recent(sessions: Collection[Session], now: float) -> Iterator[Session]:
    return (session for session in sessions if now - session.seen < SILENCE)
