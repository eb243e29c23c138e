"""Delivery of the mailbox: a minion that is back gets its letters in order, one at a time.

A letter is given its jid in the store before the job is sent, and is removed when the return is stored. A job
without a return is sent again with the same jid after a sign-in, at the next start of the master, and in
`ROUNDS`, because a job between connection and subscription is lost. Minions of salt-g drop a job that they
already have. Stock's minions would run it again, so they get each letter once, after their start event or
`SETTLED` seconds.
Units: seconds of the monotonic clock; `now` returns seconds since the epoch.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from salt_g.cache.jobs import Jobs
from salt_g.cache.mail import Letter, Mail, Order
from salt_g.errors import StoreError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import NotAuthorized
from salt_g.process.periodic_loop import PeriodicLoop

log = logging.getLogger(__name__)

#: Pause between two checks while minions arrive or work, and between two checks of all minions with letters.
LOOK, FULL = 0.5, 10.0
#: Time after its sign-in from which a minion of salt-g, and one of stock, is assumed to receive jobs.
ON_ITS_WAY, SETTLED = 0.5, 5.0
#: Times after which a job is sent again to a minion that drops repeated jobs. The last one recurs, because
#: the minion may have missed the job without any later publication.
ROUNDS = (3.0, 10.0, 30.0)
#: Longest wait for the connection of a minion that has signed in.
LOST = 30.0
#: Longest time for which a minion's next letters wait for a job that was sent and is running. A user with few
#: permissions could make that job last indefinitely.
PATIENCE = 3600.0

#: Function that raises NotAuthorized if an order is no longer permitted for a minion; it returns why a lock
#: delays the order, or ''.
Check = Callable[[Order, str], str]
#: Function that publishes an order to a minion with a jid and returns the problem, or ''.
Publish = Callable[[Order, str, str, bool], str]


class _Arrival(NamedTuple):
    at: float
    is_started: bool = False


class _Sent(NamedTuple):
    """Order that was sent to a minion: when first and last, and how often it was repeated.

    `rounds` is None for a minion that would run a repeated job.
    """

    order: str
    first: float
    at: float
    rounds: int | None = 0


class Delivery:
    """Letters on their way. Lifecycle: `run` in a greenlet.

    `connected` returns the minions of this master, `named(ids)` those that a connection names, even if not
    heard from since a crash of the master; `drops_repeated(id)` returns whether a minion drops a job that it
    has received before. With `is_shared`, other masters keep orders too.
    """

    def __init__(
        self,
        mail: Mail,
        jobs: Jobs,
        *,
        bus: Bus,
        connected: Callable[[], set[str]],
        named: Callable[[set[str]], set[str]] = lambda ids: set(),
        drops_repeated: Callable[[str], bool],
        check: Check,
        publish: Publish,
        is_shared: bool = False,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._mail = mail
        self._jobs = jobs
        self._bus = bus
        self._connected = connected
        self._named = named
        #: Minions with letters that `named` returned at the last check of all minions.
        self._unheard: set[str] = set()
        self._drops_repeated = drops_repeated
        self._check = check
        self._publish = publish
        self._is_shared = is_shared
        self._clock = clock
        self._now = now
        #: Minions with letters, None until they are read.
        self._waiting: set[str] | None = None
        self._arrived: dict[str, _Arrival] = {}
        self._sent: dict[str, _Sent] = {}
        #: {minion: orders that have run for longer than PATIENCE, so that later ones do not wait for them}
        self._passed: dict[str, set[str]] = {}
        #: Minions whose letter was held up by a lock at the last check.
        self._locked: set[str] = set()
        self._next_full = 0.0
        self._loop = PeriodicLoop("mailbox", self.deliver, self._pause)

    def run(self) -> None:
        """Deliver letters until the greenlet ends; sleep while none are waiting."""
        self._loop.run()

    def expect(self, letters: Iterable[Letter]) -> None:
        """Record new letters; those with a jid have just been sent."""
        for letter in letters:
            if self._waiting is not None:
                self._waiting.add(letter.minion)
            if letter.jid:
                moment = self._clock()
                self._sent.setdefault(letter.minion, _Sent(letter.order, moment, moment))
        self._loop.wake()

    def note_sign_in(self, minion: str) -> None:
        """Record that a minion signed in; jobs sent before may not have reached it."""
        self._sent.pop(minion, None)
        self._passed.pop(minion, None)
        if self._waiting is None or minion in self._waiting:
            self._arrived[minion] = _Arrival(self._clock())
            self._loop.wake()

    def note_started(self, minion: str) -> None:
        """Record that a minion has fired its start event and receives jobs."""
        if self._waiting is not None and minion in self._waiting:
            self._arrived[minion] = _Arrival(self._clock(), is_started=True)
            self._loop.wake()

    def forget(self, minion: str) -> None:
        """Remove the letters of a minion whose key was removed, because another minion may get its id."""
        if not (self._is_shared or self._waiting is None or minion in self._waiting):
            return
        try:
            self._mail.forget(minion).result()
        except (StoreError, TimeoutError) as exc:
            log.error("the letters for %s in the mailbox cannot be removed: %s", minion, exc)
        self._drop(minion)

    def deliver(self) -> None:
        """Send the letters that can be sent now: one round of the loop."""
        try:
            self._round()
        except (StoreError, TimeoutError) as exc:
            log.warning("cannot deliver letters of the mailbox yet: %s", exc)

    def _pause(self) -> float | None:
        if not self._waiting and not self._is_shared:
            return None if self._waiting is not None else LOOK
        busy = bool(self._arrived or self._sent)
        return LOOK if busy else max(0.1, self._next_full - self._clock())

    def _round(self) -> None:
        moment = self._clock()
        is_full = self._waiting is None or moment >= self._next_full
        if is_full:
            self._next_full = moment + FULL
            if self._waiting is None or self._is_shared:
                self._waiting = self._mail.minions()
        if not self._waiting:
            self._arrived.clear()
            return
        self._settle(self._mail.returned() if self._sent or is_full else [])
        if is_full:
            self._expire()
        connected = self._connected() & self._waiting
        if is_full:
            self._unheard = self._named(self._waiting - connected)
        connected |= self._unheard & self._waiting
        self._pass_over(moment)
        for minion in sorted(self._due(connected, moment, is_full=is_full)):
            self._attempt(minion)
        self._forget_absent(connected, moment)

    def _attempt(self, minion: str) -> None:
        try:
            self._deliver_to(minion)
        except (StoreError, TimeoutError):
            raise
        except Exception:  # One letter, which must not hold up those of other minions.
            log.exception("a letter for %s could not be delivered", minion)

    def _pass_over(self, moment: float) -> None:
        """Let minions that have worked on one letter for too long get the next one."""
        for minion, sent in list(self._sent.items()):
            if moment - sent.first >= PATIENCE:
                log.info("order %s: still running on %s; the next order is sent now", sent.order, minion)
                self._passed.setdefault(minion, set()).add(sent.order)
                del self._sent[minion]
                self._arrived[minion] = _Arrival(moment, is_started=True)

    def _settle(self, letters: Sequence[Letter]) -> None:
        """Remove the letters whose jobs have returned; their minions can get the next one."""
        if letters:
            self._mail.remove(letters).result()
        for letter in letters:
            if letter.order in self._passed.get(letter.minion, ()):
                self._passed[letter.minion].discard(letter.order)
                continue
            self._sent.pop(letter.minion, None)
            self._arrived[letter.minion] = _Arrival(self._clock(), is_started=True)

    def _expire(self) -> None:
        expired = self._mail.expired(self._now())
        if not expired:
            return
        self._mail.remove(expired).result()
        for order in sorted({letter.order for letter in expired}):
            minions = [one.minion for one in expired if one.order == order]
            self._report(order, "expired", minions, "its time is over")

    def _due(self, connected: set[str], moment: float, *, is_full: bool) -> set[str]:
        """Return the connected minions that can get a letter now."""
        due = {
            id for id, one in self._arrived.items() if id in connected and self._is_settled(id, one, moment)
        }
        due |= {id for id, one in self._sent.items() if id in connected and _is_round(one, moment)}
        if is_full:
            # Any minion with letters may be there: presence can name the wrong one of several minions behind
            # an address.
            due |= self._locked & connected
            self._locked.clear()
            idle = connected - self._sent.keys() - self._arrived.keys()
            due |= {id for id in idle if self._drops_repeated(id)}
        return due

    def _is_settled(self, minion: str, arrival: _Arrival, moment: float) -> bool:
        if arrival.is_started:
            return True
        wait = ON_ITS_WAY if self._drops_repeated(minion) else SETTLED
        return moment - arrival.at >= wait

    def _deliver_to(self, minion: str) -> None:
        """Send the first pending letter of a minion, unless it has just been sent."""
        self._arrived.pop(minion, None)
        while letter := self._mail.first_of(minion, self._passed.get(minion, ())):
            if letter.jid and self._jobs.has_returned(letter.jid, minion):
                self._mail.remove([letter]).result()
            elif self._is_under_way(letter):
                return
            elif letter.jid and not self._drops_repeated(minion):
                self._mail.remove([letter]).result()
                self._report(letter.order, "dropped", [minion], "it was sent once and has not returned")
            elif self._is_sent(letter):
                return
        if not self._passed.get(minion):
            self._drop(minion)

    def _is_under_way(self, letter: Letter) -> bool:
        sent = self._sent.get(letter.minion)
        return sent is not None and sent.order == letter.order and not _is_round(sent, self._clock())

    def _is_sent(self, letter: Letter) -> bool:
        """Send a letter; return False if it was removed and the next one can follow."""
        order = self._mail.order(letter.order)
        if order is None or letter.minion not in order.minions:
            self._mail.remove([letter]).result()
            self._report(letter.order, "refused", [letter.minion], "it is not an order of this master")
            return False
        if order.until <= self._now():
            self._mail.remove([letter]).result()
            self._report(letter.order, "expired", [letter.minion], "its time is over")
            return False
        try:
            locked = self._check(order, letter.minion)
        except NotAuthorized as exc:
            self._mail.remove([letter]).result()
            self._report(letter.order, "refused", [letter.minion], str(exc))
            return False
        if locked:
            log.info("order %s: not sent to %s yet: %s", order.id, letter.minion, locked)
            self._locked.add(letter.minion)
            return True
        jid = letter.jid or self._jobs.new_jid()
        if not letter.jid and not self._mail.claim(letter, jid).result():
            return True
        return self._send(order, letter, jid)

    def _send(self, order: Order, letter: Letter, jid: str) -> bool:
        sent = self._sent.get(letter.minion)
        rounds = (sent.rounds or 0) + 1 if sent is not None and sent.order == order.id else 0
        problem = self._publish(order, letter.minion, jid, bool(letter.jid))
        if problem:
            log.warning("order %s: not sent to %s yet: %s", order.id, letter.minion, problem)
        elif not letter.jid:
            self._bus.fire_payload(payloads.mail(order.id, "delivered", [letter.minion], jid=jid))
            log.info("order %s: sent to %s as job %s", order.id, letter.minion, jid)
        repeats = rounds if self._drops_repeated(letter.minion) else None
        moment = self._clock()
        first = sent.first if sent is not None and sent.order == order.id else moment
        self._sent[letter.minion] = _Sent(order.id, first, moment, repeats)
        return True

    def _forget_absent(self, connected: set[str], moment: float) -> None:
        """Forget the letters sent to minions without a connection, which may not have received them."""
        self._sent = {id: one for id, one in self._sent.items() if id in connected}
        self._passed = {id: orders for id, orders in self._passed.items() if id in connected and orders}
        self._arrived = {
            id: one for id, one in self._arrived.items() if id in connected or moment - one.at < LOST
        }

    def _drop(self, minion: str) -> None:
        self._sent.pop(minion, None)
        self._passed.pop(minion, None)
        self._arrived.pop(minion, None)
        if self._waiting is not None:
            self._waiting.discard(minion)

    def _report(self, order: str, moment: str, minions: Sequence[str], why: str) -> None:
        log.warning("order %s: %s for %d minions: %s", order, moment, len(minions), why)
        self._bus.fire_payload(payloads.mail(order, moment, minions, comment=why))


def _is_round(sent: _Sent, moment: float) -> bool:
    return sent.rounds is not None and moment - sent.at >= ROUNDS[min(sent.rounds, len(ROUNDS) - 1)]
