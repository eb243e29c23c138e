"""Mailbox of a master: orders, their delivery, and the commands about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from salt_g.cache.mail import Mail, MailLimits, Order
from salt_g.master.calls.authorization import Authorization
from salt_g.master.composition.network import NetworkParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.mailbox.letter_delivery import Delivery
from salt_g.master.mailbox.mailbox import Mailbox
from salt_g.master.mailbox.mailbox_commands import MailboxCommands
from salt_g.master.mailbox.order_sealing import OrderSealing
from salt_g.master.publishing.publish import JobPublisher, source_of
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.shapes import Opts
from salt_g.wire.rsa import PrivateKey


@dataclass(frozen=True)
class MailParts:
    """Parts of the mailbox; `delivery` is not started."""

    mailbox: Mailbox
    delivery: Delivery
    commands: MailboxCommands


def compose_mailbox(
    opts: Opts,
    persistence: Persistence,
    network: NetworkParts,
    publishing: Publishing,
    publisher: JobPublisher,
    authorization: Authorization,
    targets: TargetResolution,
    key: PrivateKey,
) -> MailParts:
    """Create the mailbox, and connect it to sign-ins and removals of keys."""
    mail = Mail(persistence.store, OrderSealing(key))
    delivery = Delivery(
        mail,
        persistence.jobs,
        bus=network.bus,
        connected=publishing.presence.connected,
        named=publishing.presence.named,
        drops_repeated=persistence.drops_repeated,
        check=partial(_check, authorization, publisher),
        publish=partial(_publish, publisher),
        is_shared=bool(opts.get("cluster")),
    )
    mailbox = Mailbox(
        mail,
        delivery,
        limits=MailLimits(int(opts["mailbox_jobs"]), int(opts["mailbox_bytes"])),
        jobs=persistence.jobs,
        bus=network.bus,
        publisher=publisher,
        targets=targets,
        connected=publishing.everywhere.connected,
        drops_repeated=persistence.drops_repeated,
    )
    publishing.listeners.on_sign_in.append(delivery.note_sign_in)
    publishing.listeners.on_start.append(delivery.note_started)
    publishing.listeners.on_forget.append(delivery.forget)
    return MailParts(mailbox, delivery, MailboxCommands(authorization, mailbox))


def _load(order: Order, minion: str) -> dict[str, Any]:
    """Return the publication of an order for one minion."""
    names = ("fun", "arg", "ret", "kwargs", "id", "to")
    load = {name: order.load[name] for name in names if name in order.load}
    return {**load, "tgt": [minion], "tgt_type": "list"}


def _user(order: Order) -> str:
    return str((order.load.get("standing") or {}).get("user"))


def _check(authorization: Authorization, publisher: JobPublisher, order: Order, minion: str) -> str:
    """Return why a lock delays an order for a minion, or ''; raise NotAuthorized if it is forbidden now."""
    authorization.check_again(order.load.get("standing") or {}, _load(order, minion))
    return publisher.why_locked(
        order.load.get("fun"),
        order.load.get("arg"),
        [minion],
        user=_user(order),
        source=source_of(order.load.get("uid")),
    )


def _publish(publisher: JobPublisher, order: Order, minion: str, jid: str, is_repeated: bool) -> str:
    """Send an order to a minion; return the problem, '' without one."""
    load = {**_load(order, minion), "jid": jid}
    reply = publisher.publish(load, user=_user(order), uid=order.load.get("uid"), is_repeated=is_repeated)
    return str(reply.get("error") or "")
