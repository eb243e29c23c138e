"""Orders of the mailbox: jobs with `when_back`, kept for minions that are away.

Connected minions get the job at once, the others when they are back, each with its own jid. Minions of salt-g
drop a repeated job, so the mailbox also keeps the job for minions that seem connected but may not be, until
they have returned. Stock's minions are sent a job only once, whether they receive it or not.
Shapes: the load is that of the clear command `publish`, with `kwargs: {when_back: seconds}`; the reply is
that of `publish` plus {kept, until, order}.
Units: seconds since the epoch.
Errors: a refusal is {error: text}.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.cache.jobs import Jobs
from salt_g.cache.mail import Letter, Mail, MailLimits, Order
from salt_g.data.nested import DELIMITER
from salt_g.errors import StoreError, TargetError, WireError
from salt_g.event import payloads
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import Allowed
from salt_g.master.calls.clear_commands import WHEN_BACK
from salt_g.master.mailbox.letter_delivery import Delivery
from salt_g.master.publishing.publish import PASSED_ON, JobPublisher, source_of
from salt_g.master.publishing.target_resolution import ResolvedTarget, TargetResolution
from salt_g.shapes.loads import LoadFields, PublishReply
from salt_g.shapes.replies import OrderReply
from salt_g.transport.time_slice import TimeSlice
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)

#: Longest time for which a job is kept.
LONGEST = 400 * 86400.0
#: Share of the mailbox that one user with limits may fill, so that others have room.
SHARE = 0.25


class Mailbox:
    """Orders of this master; `connected` returns the minions of all masters that have a connection."""

    def __init__(
        self,
        mail: Mail,
        delivery: Delivery,
        *,
        limits: MailLimits,
        jobs: Jobs,
        bus: Bus,
        publisher: JobPublisher,
        targets: TargetResolution,
        connected: Callable[[], set[str]],
        drops_repeated: Callable[[str], bool],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._mail = mail
        self._delivery = delivery
        self._limits = limits
        self._jobs = jobs
        self._bus = bus
        self._publisher = publisher
        self._targets = targets
        self._connected = connected
        self._drops_repeated = drops_repeated
        self._now = now

    def order(self, load: LoadFields, allowed: Allowed, uid: int | None) -> PublishReply:
        """Publish an authorized job to the connected minions, and keep it for the others."""
        try:
            until = self._now() + _seconds(load)
            resolved = self._resolve(load)
            if not resolved.minions:
                return self._publisher.publish(load, user=allowed.user, uid=uid)
            return self._keep(load, allowed, uid, until, resolved)
        except (TargetError, WireError) as exc:
            return {"error": f"The job was not published: {exc}", "malformed": True}
        except (StoreError, TimeoutError) as exc:
            return {"error": f"The job was not published: {exc}"}

    def orders(self, owner: str | None = None) -> list[OrderReply]:
        """Return all orders, or those of one owner (see `owner_of`), as `salt-g mailbox list` shows them."""
        found, turns = [], TimeSlice()
        for order in self._mail.orders(owner):
            found.append(self._shown(order))
            # There may be a hundred thousand orders.
            turns.pause()
        return found

    def drop(self, id: str, owner: str | None = None) -> int:
        """Drop an order, if `owner` is None or owns it; return the number of minions that it was kept for."""
        order = self._mail.order(id)
        if order is None or owner not in (None, order.owner):
            return 0
        minions = [letter.minion for letter in self._mail.letters(id)]
        self._mail.remove_order(id).result()
        self._bus.fire_payload(payloads.mail(id, "dropped", minions))
        return len(minions)

    def _keep(
        self, load: LoadFields, allowed: Allowed, uid: int | None, until: float, resolved: ResolvedTarget
    ) -> PublishReply:
        guarded = self._publisher.why_guarded(load, len(resolved.minions))
        if guarded:
            return {"error": f"The job was not published: {guarded}"}
        locked = self._publisher.why_locked(
            load.get("fun"), load.get("arg"), resolved.minions, user=allowed.user, source=source_of(uid)
        )
        if locked:
            return {"error": f"The job was not published: {locked}", "locked": True}
        connected = self._connected()
        here = [name for name in resolved.minions if name in connected or name in resolved.resources]
        away = sorted(set(resolved.minions).difference(here))
        id = self._jobs.new_jid()
        letters = [Letter(minion, id, "") for minion in away]
        letters += [
            Letter(minion, id, id)
            for minion in here
            if minion not in resolved.resources and self._drops_repeated(minion)
        ]
        order = _order(id, load, allowed, uid, made=self._now(), until=until)
        limits = self._limits._replace(share=SHARE) if allowed.is_limited else self._limits
        problem = self._mail.add(order, letters, limits).result()
        if problem:
            return {"error": f"The job was not published: {problem}; `salt-g mailbox list` shows the orders"}
        reply: PublishReply = {"jid": "", "minions": [], "missing": resolved.missing}
        if here:
            job = {**load, "tgt": here, "tgt_type": "list", "jid": id}
            reply = self._publisher.publish(job, user=allowed.user, uid=uid)
        if "error" in reply:
            self._mail.remove_order(id).result()
            return reply
        log.info("order %s of %s: kept for %d minions", id, allowed.user, len(away))
        self._bus.fire_payload(payloads.mail(id, "kept", away, user=allowed.user, until=until))
        self._delivery.expect(letters)
        return {**reply, "kept": away, "until": until, "order": id}

    def _resolve(self, load: LoadFields) -> ResolvedTarget:
        tgt, tgt_type = load.get("tgt"), str(load.get("tgt_type") or "glob")
        if tgt_type == "nodegroup":
            tgt, tgt_type = f"N@{tgt}", "compound"
        delimiter = (load.get("kwargs") or {}).get("delimiter")
        return self._targets.resolve_all(
            tgt, tgt_type, delimiter=delimiter if isinstance(delimiter, str) else DELIMITER
        )

    def _shown(self, order: Order) -> OrderReply:
        letters = self._mail.letters(order.id)
        return {
            "order": order.id,
            "user": order.owner.partition("/")[2],
            "made": order.made,
            "until": order.until,
            "fun": order.load.get("fun"),
            "arg": self._publisher.shown_arguments(order.load.get("arg") or []),
            "tgt": order.load.get("tgt"),
            "tgt_type": order.load.get("tgt_type"),
            "waiting": [letter.minion for letter in letters if not letter.jid],
            "sent": {letter.minion: letter.jid for letter in letters if letter.jid},
        }


def _seconds(load: LoadFields) -> float:
    """Return how long a job is to be kept; raises WireError."""
    found = load["kwargs"][WHEN_BACK]
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 1 <= found <= LONGEST:
        raise WireError(f"when_back must be a number of seconds from 1 to {LONGEST:.0f}")
    return float(found)


def _order(
    id: str, load: LoadFields, allowed: Allowed, uid: int | None, *, made: float, until: float
) -> Order:
    """Return the order for a job, without passwords and tokens."""
    kwargs = load.get("kwargs") or {}
    kept: dict[str, Any] = {
        "fun": load.get("fun"),
        "arg": load.get("arg", []),
        "ret": load.get("ret") or "",
        "kwargs": {name: kwargs[name] for name in PASSED_ON if name in kwargs},
    }
    digest = hashlib.sha256(pack_bus(kept)).hexdigest()
    about = {name: load[name] for name in ("id", "to", "tgt", "tgt_type") if name in load}
    standing = dict(allowed.standing)
    return Order(
        id, made, until, digest, owner_of(standing), {**kept, **about, "standing": standing, "uid": uid}
    )


def owner_of(standing: Mapping[str, Any]) -> str:
    """Return the owner identity of a user's orders: login module and user name."""
    return f"{standing.get('module') or ''}/{standing.get('user')}"
