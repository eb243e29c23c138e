"""Presence: the minions connected now.

A connection to the publish port does not prove whose it is. Minions of salt-g subscribe to their own topic
too, which names them. Any other minion counts as connected when the address of its last request has a
connection without a name; where several minions share an address, as many of them as there are such
connections, the most recently heard first. A name is a hint: it counts at the address of that minion only, or
in its /64 of IPv6.
Source: wire specification, section 11.5.
"""

from __future__ import annotations

import collections
import functools
import ipaddress
from collections.abc import Callable, Collection, Iterator, Mapping

from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.admission.sessions import Session, SessionTable
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

        `named` returns the addresses of those that name a minion by its topic, `nameless` counts the others.
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
        """Return those of `ids` that have a connection now; most have a name, and cost little."""
        sessions = [session for id in ids if (session := self._sessions.get(id)) is not None and session.seen]
        named = {session.id for session in sessions if self._is_named(session)}
        if len(named) == len(sessions) or not self._nameless():
            return named
        return self.connected().intersection(ids)

    def named(self, ids: Collection[str]) -> set[str]:
        """Return those of `ids` that a connection names, from any address and perhaps not heard yet."""
        return {id for id in ids if self._named(_topic_of(id))}

    def addresses(self) -> Mapping[str, str]:
        """Return the last known address of each connected minion."""
        return {session.id: session.address for session in self._connected()}

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return those of `ids` known to have no connection; `answered` are known to have one.

        Behind an address with more connections than ids that have answered, each of the other ids may be
        connected; and a connection from an address without a known minion may be anyone's.
        """
        open_now = _by_normal_form(self._nameless())
        at: dict[str, set[str]] = collections.defaultdict(set)
        there = set(answered)
        for session in self._sessions:
            if session.seen:
                at[normal(session.address)].add(session.id)
                if self._is_named(session):
                    there.add(session.id)
        if not open_now.keys() <= at.keys():
            return set()
        alive = {id for id in answered if not self._named(_topic_of(id))}
        doubtful = {
            id for address in open_now for id in at[address] if open_now[address] > len(at[address] & alive)
        }
        return set(ids) - doubtful - there

    def moving(self, ids: Collection[str]) -> set[str]:
        """Return nothing: a master alone waits for its minions at its start."""
        return set()

    def connections(self) -> collections.Counter[str]:
        """Return the number of subscribed connections by address, in its normal form."""
        return _by_normal_form(self._subscribed())

    def fire_events(self, bus: Bus) -> None:
        """Fire the presence events: new, lost and connected minions."""
        now = self.connected()
        for draft in payloads.presence(now, self._before):
            bus.fire_draft(draft)
        self._before = now

    def _connected(self) -> Iterator[Session]:
        open_now = _by_normal_form(self._nameless())
        by_address: dict[str, list[Session]] = {}
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

    def _is_named(self, session: Session) -> bool:
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
    """Return an address as names are compared: of IPv6 the first 64 bits.

    A host changes the others in the course of a day (RFC 8981), and an older connection keeps what it had.
    """
    form = normal(address)
    try:
        return str(ipaddress.IPv6Network((form, 64), strict=False)) if ":" in form else form
    except ValueError:
        return form


#: Topics of minions, cached: each is asked for in every round.
_topic_of = functools.lru_cache(maxsize=REMEMBERED)(topic_of)


@functools.lru_cache(maxsize=REMEMBERED)
def normal(address: str) -> str:
    """Return an address in the form in which it is counted: IPv4-mapped IPv6 as IPv4."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(ip, "ipv4_mapped", None) or ip)
