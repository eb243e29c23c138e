"""Commands about locks, for users with permissions in `@lock` or with all permissions.

The permissions are `lock.add`, `lock.drop` for one's own locks, and `lock.break` for others' locks and for
jobs that override such a lock. All authenticated users may list locks, because a refusal shows the same data.
Shapes: `lock_add` {tgt, tgt_type, reason, seconds} -> {lock}; `lock_list` -> {locks: [...]}; `lock_drop`
{ids} -> {dropped: {id: bool}}. A problem is {error: text}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.auth.permissions import FunctionCall
from salt_g.errors import SaltGError
from salt_g.master.calls.authorization import Allowed, Authorization, CommandCaller, NotAuthorized
from salt_g.master.calls.clear_commands import Serve
from salt_g.master.locks.lock import Lock
from salt_g.master.locks.locks import MOST as MOST_LOCKS
from salt_g.master.locks.locks import Locks
from salt_g.shapes.loads import LoadFields
from salt_g.shapes.replies import LockReply

#: Maximum number of locks that one command can name.
MOST = 100
#: Maximum number of locks of one user with limits, because every job is checked against all locks.
MOST_OWN = 100
#: Field of a job's `kwargs` that names the locks to override.
DESPITE = "despite_lock"


class LockCommands:
    """Handler of the commands, which also decides which locks a job may override."""

    def __init__(self, authorization: Authorization, locks: Locks) -> None:
        self._authorization = authorization
        self._locks = locks

    def commands(self) -> Mapping[str, Serve]:
        """Return the commands by name."""
        return {"lock_add": self._add, "lock_list": self._list, "lock_drop": self._drop}

    def despite(self, load: LoadFields, caller: CommandCaller) -> list[str]:
        """Return the locks that a job may override; raise NotAuthorized for any other that it names.

        A job may override its user's own locks, and with the permission `lock.break` any lock.
        """
        kwargs = load.get("kwargs")
        named = kwargs.get(DESPITE) if isinstance(kwargs, Mapping) else None
        if not named:
            return []
        ids = [str(id) for id in named] if isinstance(named, list) else [str(named)]
        # A publication has eauth credentials in `kwargs`; the checks expect them at the top level, as in a
        # call.
        proof = {**{name: load[name] for name in ("key", "user") if name in load}, **(kwargs or {})}
        for id in ids[:MOST]:
            self._check("drop", "break", id, proof, caller)
        return ids[:MOST]

    def _add(self, load: LoadFields, caller: CommandCaller) -> Any:
        tgt, reason, seconds = load.get("tgt"), load.get("reason"), load.get("seconds")
        if not isinstance(tgt, (str, list)) or not isinstance(reason, str):
            return {"error": "a lock needs tgt and reason"}
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            return {"error": "a lock needs seconds, which must be a number"}
        self._authorization.check_call("lock", FunctionCall("lock.add", [tgt]), load, caller)
        allowed = self._authorization.check_user(load, caller)
        tgt_type = str(load.get("tgt_type") or "glob")
        try:
            lock = self._locks.add(
                tgt,
                tgt_type,
                owner=allowed.owner,
                reason=reason,
                seconds=float(seconds),
                most_own=MOST_OWN if allowed.is_limited else MOST_LOCKS,
            )
        except (SaltGError, TimeoutError) as exc:
            return {"error": str(exc)}
        return {"lock": shown(lock)}

    def _list(self, load: LoadFields, caller: CommandCaller) -> Any:
        self._authorization.check_user(load, caller)
        try:
            return {"locks": [shown(lock) for lock in self._locks.all()]}
        except SaltGError as exc:
            return {"error": str(exc)}

    def _drop(self, load: LoadFields, caller: CommandCaller) -> Any:
        ids = load.get("ids")
        if not isinstance(ids, list) or len(ids) > MOST:
            return {"error": f"ids must be a list of at most {MOST} locks"}
        dropped = {}
        try:
            for id in map(str, ids):
                lock = self._check("drop", "break", id, load, caller)
                if lock is not None and lock.is_freeze:
                    return {"error": f"{id} ends when it is removed from the setting change_freezes"}
                dropped[id] = lock is not None and self._locks.drop(id)
        except (SaltGError, TimeoutError) as exc:
            if isinstance(exc, NotAuthorized):
                raise
            return {"error": str(exc)}
        return {"dropped": dropped}

    def _check(self, own: str, others: str, id: str, load: LoadFields, caller: CommandCaller) -> Lock | None:
        """Return a lock that the user may drop or override, None if it is unknown; raises NotAuthorized."""
        lock = self._locks.get(id)
        allowed: Allowed = self._authorization.check_user(load, caller)
        is_own = lock is not None and not lock.is_freeze and lock.owner == allowed.owner
        self._authorization.check_call(
            "lock", FunctionCall(f"lock.{own if is_own else others}", [id]), load, caller
        )
        return lock


def shown(lock: Lock) -> LockReply:
    """Return a lock in the form that commands return."""
    fields: Any = {name: value for name, value in lock._asdict().items() if name != "delimiter"}
    reply: LockReply = fields
    return reply
