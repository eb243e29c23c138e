"""Commands about the mailbox: users see and drop their own orders, users without limits all orders.

Shapes: `mailbox_list` -> {orders: [...]}, see `Mailbox.orders`; `mailbox_drop` {ids} -> {dropped: {id: number
of minions}}, 0 for an order that is unknown or another user's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import StoreError
from salt_g.master.calls.authorization import Authorization, CommandCaller
from salt_g.master.calls.clear_commands import Serve
from salt_g.master.mailbox.mailbox import Mailbox, owner_of
from salt_g.shapes.loads import LoadFields

#: Maximum number of orders that one command drops.
MOST = 1000


class MailboxCommands:
    """Handler of the commands; `authorization` authenticates their users."""

    def __init__(self, authorization: Authorization, mailbox: Mailbox) -> None:
        self._authorization = authorization
        self._mailbox = mailbox

    def commands(self) -> Mapping[str, Serve]:
        """Return the commands by name."""
        return {"mailbox_list": self._list, "mailbox_drop": self._drop}

    def _list(self, load: LoadFields, caller: CommandCaller) -> Any:
        owner = self._owner(load, caller)
        try:
            return {"orders": self._mailbox.orders(owner)}
        except StoreError as exc:
            return {"error": str(exc)}

    def _drop(self, load: LoadFields, caller: CommandCaller) -> Any:
        owner, ids = self._owner(load, caller), load.get("ids")
        if not isinstance(ids, list) or len(ids) > MOST:
            return {"error": f"ids must be a list of at most {MOST} orders"}
        try:
            return {"dropped": {str(id): self._mailbox.drop(str(id), owner) for id in ids}}
        except (StoreError, TimeoutError) as exc:
            return {"error": str(exc)}

    def _owner(self, load: LoadFields, caller: CommandCaller) -> str | None:
        """Return the owner whose orders a user may see, None for all; raises NotAuthorized."""
        allowed = self._authorization.check_user(load, caller)
        return owner_of(allowed.standing) if allowed.is_limited else None
