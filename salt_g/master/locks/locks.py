"""Locks of a master, in its store, and the refusal of jobs.

Each publication is checked by `refusal`, whatever its origin; without locks and freezes this costs nothing. A
master without a cluster also keeps its locks in memory; masters of a cluster read them for each job, because
another master may have changed them.
Units: seconds since the epoch.
Errors: StoreError, TargetError, InvocationError.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from salt_g.cache.banks import Banks
from salt_g.data.nested import DELIMITER
from salt_g.errors import InvocationError
from salt_g.master.locks.lock import Lock, check_locked, in_force, is_change

#: Bank of the locks in the store, by id.
BANK = "locks"
#: Maximum number of locks, longest reason (characters), longest duration (s), and longest text form of a
#: target (characters).
MOST, MAX_REASON, LONGEST, MAX_TARGET = 1000, 500, 400 * 86400.0, 10_000

#: Function that resolves (tgt, tgt_type, delimiter) to minions and resources.
Resolve = Callable[[Any, str, str], Iterable[str]]


class Locks:
    """Locks and freezes; with `is_shared`, other masters may change the locks too.

    `on_refusal({user, fun, tgt, from, verdict, reason})` is called for each refused job.
    """

    def __init__(
        self,
        banks: Banks,
        *,
        freezes: Sequence[Lock] = (),
        exempt: Sequence[str] = (),
        resolve: Resolve,
        nodegroups: Mapping[str, Any] | None = None,
        is_shared: bool = False,
        on_refusal: Callable[[Mapping[str, Any]], None] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._banks = banks
        self._freezes = list(freezes)
        self._exempt = exempt
        self._resolve = resolve
        self._nodegroups = nodegroups or {}
        self._is_shared = is_shared
        self._on_refusal = on_refusal
        self._now = now
        #: Locks by id, None until they are read and for shared locks.
        self._known: dict[str, Lock] | None = None

    def all(self) -> list[Lock]:
        """Return the locks and freezes that have not ended, sorted by their end."""
        locks = [*self._locks().values(), *self._freezes]
        return sorted((one for one in locks if one.until > self._now()), key=lambda one: one.until)

    def get(self, id: str) -> Lock | None:
        """Return a lock or freeze that has not ended, None for any other id."""
        return next((one for one in self.all() if one.id == id), None)

    def add(
        self,
        target: Any,
        tgt_type: str,
        *,
        owner: str,
        reason: str,
        seconds: float,
        most_own: int = MOST,
    ) -> Lock:
        """Lock a target; raise InvocationError for values out of bounds, TargetError for a bad target.

        `most_own` is the maximum number of locks of the owner.
        """
        now = self._now()
        self._drop_old(now)
        if not reason.strip() or len(reason) > MAX_REASON:
            raise InvocationError(f"a lock needs a reason of 1 to {MAX_REASON} characters")
        if not 1 <= seconds <= LONGEST:
            raise InvocationError(f"a lock must last from 1 s to {LONGEST / 86400:.0f} days")
        if len(str(target)) > MAX_TARGET:
            raise InvocationError(f"a lock's target must not exceed {MAX_TARGET} characters")
        reason = " ".join(reason.split())
        if not reason.isprintable() or not str(target).isprintable():
            # Refusals show the reason and the target on the terminals of other users.
            raise InvocationError("the reason and target of a lock must have no control characters")
        locks = self._locks().values()
        if len(locks) >= MOST:
            raise InvocationError(f"the limit of {MOST} locks is reached; drop some")
        if sum(lock.owner == owner for lock in locks) >= most_own:
            raise InvocationError(f"{owner} may have at most {most_own} locks; drop some")
        check_locked(target, tgt_type, self._nodegroups, self._resolve)
        self._resolve(target, tgt_type, DELIMITER)
        lock = Lock(secrets.token_hex(4), target, tgt_type, owner, reason, now, now + seconds)
        self._banks.store(BANK, lock.id, list(lock)).result()
        if self._known is not None:
            self._known[lock.id] = lock
        return lock

    def drop(self, id: str) -> bool:
        """Drop a lock; return whether it existed. Freezes end with their setting."""
        if id not in self._locks():
            return False
        self._banks.flush(BANK, id).result()
        if self._known is not None:
            self._known.pop(id, None)
        return True

    def refusal(
        self,
        fun: Any,
        arg: Any,
        names: Collection[str],
        despite: Collection[str] = (),
        *,
        user: str = "",
        source: str = "",
    ) -> str:
        """Return why a job on these minions and resources is refused, '' if it is not; raises StoreError.

        `user` and `source` are those of the job.
        """
        if not (self._freezes or self._known is None or self._known or self._is_shared):
            return ""
        locks = in_force([*self._locks().values(), *self._freezes], self._now(), despite)
        if not locks or not names or not is_change(fun, arg, self._exempt):
            return ""
        for lock in locks:
            ids = set(self._resolve(lock.target, lock.tgt_type, lock.delimiter))
            locked = sorted(ids.intersection(names))
            if locked:
                why = lock.refusal(locked, len(names))
                if self._on_refusal is not None:
                    job = {"user": user, "fun": fun, "tgt": sorted(names), "from": source}
                    self._on_refusal({**job, "verdict": "refused", "reason": why})
                return why
        return ""

    def _locks(self) -> dict[str, Lock]:
        if self._known is not None:
            return self._known
        found = {id: _lock(row) for id, row in self._banks.list_all(BANK).items()}
        locks = {id: lock for id, lock in found.items() if lock is not None}
        if not self._is_shared:
            self._known = locks
        return locks

    def _drop_old(self, now: float) -> None:
        old = [lock.id for lock in self._locks().values() if lock.until <= now]
        for id, dropped in [(id, self._banks.flush(BANK, id)) for id in old]:
            dropped.result()
            if self._known is not None:
                self._known.pop(id, None)


def _lock(row: Any) -> Lock | None:
    """Return a lock of the store, None for a malformed row."""
    is_whole = isinstance(row, list) and len(row) == len(Lock._fields)
    return Lock(*row) if is_whole else None
