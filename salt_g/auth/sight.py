"""Visibility of jobs, calls, keys and minions to a user.

A user sees the user's own jobs and calls, jobs of other users that the user may run on the same minions, and
calls of other users that the user may make. A user sees keys with the right to list keys, and a minion with
the right to run any function on it.
Shapes: `grants` are lists of permissions that must all allow an action: the permissions of the user, then the
limits of a token. Ids are a set, or None for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from salt_g.auth.called_functions import with_called
from salt_g.auth.permissions import (
    ALWAYS_ALLOWED,
    FunctionCall,
    allows,
    allows_function,
    calls_of,
    ids_allowed,
)

#: Permission to see everything that happens.
ALL = "@events"
#: Name of a function that no plugin has; a user who may call it may call every function.
_ANY_FUNCTION = "api.any_function"
#: User of the jobs that the master's host starts; a login of this name elsewhere is not that user.
_LOCAL = "root"


class Sight:
    """Visibility for one user; `ids_of` resolves the targets of permissions, and may block."""

    def __init__(
        self, user: str, grants: Sequence[Sequence[Any]], ids_of: Callable[[str], frozenset[str]]
    ) -> None:
        self.user = user
        self._grants = grants
        self._ids_of = ids_of
        #: Whether the user may see everything but jobs and calls.
        self.is_full = all(
            ALL in one or allows(one, [FunctionCall(_ANY_FUNCTION)], (), lambda target: ()) for one in grants
        )
        self.sees_keys = self.may_call("wheel", "key.list_all")

    def may_call(self, kind: str, fun: str) -> bool:
        """Return whether a function of `kind` (runner, wheel) may be called without arguments."""
        return all(allows_function(one, FunctionCall(fun), kind) for one in self._grants)

    def may_run(self, fun: str, ids: Iterable[str]) -> bool:
        """Return whether the user may run a function on all `ids`."""
        wanted = list(ids)
        return all(allows(one, [FunctionCall(fun)], wanted, self._ids_of) for one in self._grants)

    def ids(self, fun: str = "") -> frozenset[str] | None:
        """Return the ids on which the user may run `fun`, or any function if it is ''; None for all ids."""
        found = [ids_allowed(one, fun, self._ids_of) for one in self._grants]
        limited = [ids for ids in found if ids is not None]
        return frozenset.intersection(*limited) if limited else None

    def may_see_job(self, user: str, fun: Any, arg: Any, ids: Sequence[str]) -> bool:
        """Return whether the user may see a job with this user, function, arguments and minions."""
        calls = with_called(calls_of(fun, arg))
        return all(ALL in one or self._allows_job(one, calls, ids) for one in self._asked(user))

    def may_see_call(self, user: str, kind: str, fun: str) -> bool:
        """Return whether the user may see a call of a runner or wheel function made by `user`."""
        return all(ALL in one or allows_function(one, FunctionCall(fun), kind) for one in self._asked(user))

    def _allows_job(self, grant: Sequence[Any], calls: Sequence[FunctionCall], ids: Sequence[str]) -> bool:
        # Every user may ask whether a job runs, but seeing the answer would show what the job does.
        if not self.is_full and any(call.fun in ALWAYS_ALLOWED for call in calls):
            return False
        return allows(grant, calls, ids, self._ids_of)

    def _asked(self, user: str) -> Sequence[Sequence[Any]]:
        """Return the grants that apply to work of `user`: for own work, only the limits of the token."""
        return self._grants[1:] if user == self.user != _LOCAL else self._grants
