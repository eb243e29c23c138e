"""Presence: the minions connected now.

A connection to the publish port does not prove which minion it belongs to. Minions of salt-g also subscribe
to their own topic, which names the connection. Any other minion counts as connected when the address of its
last request has a connection without a name; if several minions share the address, as many of them count as
there are such connections, the most recently heard first. A name is only a hint, so it counts only at that
minion's address, or in its /64 network for IPv6.
Source: wire specification, section 11.5.
"""

from __future__ import annotations

import collections
import functools
import ipaddress
from collections.abc import Callable, Collection, Iterator, Mapping

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.admission.sessions import MinionSession, SessionTable
from salt_g.wire.publications import topic_of

#: Number of addresses whose normal form is cached, more than one master serves: computing one takes 20 µs.
REMEMBERED = 65_536


class Presence:
    """Tracker of connected minions; implements `services.daemons.Presence`."""

    def __init__(
        self,
        sessions: SessionTable,
        subscribed: Callable[[], Mapping[str, int]],
        *,
        named: Callable[[bytes], Collection[str]] = lambda topic: (),
        nameless: Callable[[], Mapping[str, int]] | None = None,
    ) -> None:
        """Initialize; `subscribed` returns the number of subscribed connections by address.

        `named` returns the addresses of the connections that subscribe to a minion's topic, `nameless` the
        number of the other connections by address.
        """
        self._sessions = sessions
        self._subscribed = subscribed
        self._named = named
        self._nameless = subscribed if nameless is None else nameless
        self._before: set[str] = set()

    def connected(self) -> set[str]:
        """Return the ids of accepted minions that have a connection now."""
        return {session.id for session in self._connected()}

    def among(self, ids: Collection[str]) -> set[str]:
        """Return the ids in `ids` that have a connection now; named connections make this cheap."""
        sessions = [session for id in ids if (session := self._sessions.get(id)) is not None and session.seen]
        named = {session.id for session in sessions if self._is_named(session)}
        if len(named) == len(sessions) or not self._nameless():
            return named
        return self.connected().intersection(ids)

    def named(self, ids: Collection[str]) -> set[str]:
        """Return the ids in `ids` that a connection names, from any address, even if not heard from yet."""
        return {id for id in ids if self._named(_topic_of(id))}

    def addresses(self) -> Mapping[str, str]:
        """Return the last known address of each connected minion."""
        return {session.id: session.address for session in self._connected()}

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return the ids in `ids` that certainly have no connection; those in `answered` certainly have one.

        If an address has more connections than ids that have answered, any other id there may be connected. A
        connection from an address without a known minion may belong to any minion.
        """
        open_now = _by_normal_form(self._nameless())
        at: dict[str, set[str]] = collections.defaultdict(set)
        there, heard = set(answered), set[str]()
        for session in self._sessions:
            if session.seen:
                heard.add(session.id)
                at[normal(session.address)].add(session.id)
                if self._is_named(session):
                    there.add(session.id)
        if not open_now.keys() <= at.keys():
            return set()
        alive = {id for id in answered if not self._named(_topic_of(id))}
        doubtful = {
            id for address in open_now for id in at[address] if open_now[address] > len(at[address] & alive)
        }
        # A connection may name a minion from which this master has not heard yet, as after a restart without
        # the sessions of the last run.
        return set(ids) - doubtful - there - self.named(set(ids) - heard)

    def moving(self, ids: Collection[str]) -> set[str]:
        """Return an empty set: without a cluster, this master takes over no minions of an ended master."""
        return set()

    def connections(self) -> collections.Counter[str]:
        """Return the number of subscribed connections by address, in its normal form."""
        return _by_normal_form(self._subscribed())

    def fire_events(self, bus: Bus) -> None:
        """Fire the presence events: new, lost and connected minions."""
        now = self.connected()
        for payload in payloads.presence(now, self._before):
            bus.fire_payload(payload)
        self._before = now

    def _connected(self) -> Iterator[MinionSession]:
        open_now = _by_normal_form(self._nameless())
        by_address: dict[str, list[MinionSession]] = {}
        for session in self._sessions:
            if not session.seen:
                continue
            if self._is_named(session):
                yield session
            elif (address := normal(session.address)) in open_now:
                by_address.setdefault(address, []).append(session)
        for address, sessions in by_address.items():
            number = open_now[address]
            if number < len(sessions):
                sessions.sort(key=lambda session: session.seen, reverse=True)
            yield from sessions[:number]

    def _is_named(self, session: MinionSession) -> bool:
        addresses = self._named(_topic_of(session.id))
        return bool(addresses) and _network(session.address) in map(_network, addresses)


def _by_normal_form(numbers: Mapping[str, int]) -> collections.Counter[str]:
    counted: dict[str, int] = {}
    for address, number in numbers.items():
        form = normal(address)
        counted[form] = counted.get(form, 0) + number
    return collections.Counter(counted)


@functools.lru_cache(maxsize=REMEMBERED)
def _network(address: str) -> str:
    """Return the part of an address by which named connections are compared: for IPv6 the first 64 bits.

    A host changes the other bits in the course of a day (RFC 8981), and an older connection keeps its
    address.
    """
    form = normal(address)
    try:
        return str(ipaddress.IPv6Network((form, 64), strict=False)) if ":" in form else form
    except ValueError:
        return form


#: Topic of a minion, cached because every round asks for the topic of each minion.
_topic_of = functools.lru_cache(maxsize=REMEMBERED)(topic_of)


@functools.lru_cache(maxsize=REMEMBERED)
def normal(address: str) -> str:
    """Return an address in the normal form used for counting: IPv4-mapped IPv6 as IPv4."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(ip, "ipv4_mapped", None) or ip)
