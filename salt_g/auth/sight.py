"""Visibility of jobs, calls and minions to a user: those of the user, or that the user may run.

Own jobs and calls; jobs of others on minions where the user may order the same; calls of others that the user
may make. Keys belong to those who may list keys. Minions are seen by who may run some function on them.
Shapes: `grants` are lists of permissions that must all allow something: those of the user, then the limits of
a token. Ids are a set, or None for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from salt_g.auth.called_functions import with_called
from salt_g.auth.permissions import (
    ALWAYS_ALLOWED,
    Call,
    allows,
    allows_function,
    calls_of,
    ids_allowed,
)

#: Permission to see everything that happens.
ALL = "@events"
#: Name of a function that no plugin has: who may call it may call every one.
_ANY_FUNCTION = "api.any_function"
#: User of the jobs that the master's host runs; a login of this name elsewhere is not that user.
_LOCAL = "root"


class Sight:
    """Visibility to one user; `ids_of` resolves the targets of permissions, and may wait."""

    def __init__(
        self, user: str, grants: Sequence[Sequence[Any]], ids_of: Callable[[str], frozenset[str]]
    ) -> None:
        self.user = user
        self._grants = grants
        self._ids_of = ids_of
        #: Whether the user may see everything but jobs and calls.
        self.is_full = all(
            ALL in one or allows(one, [Call(_ANY_FUNCTION)], (), lambda target: ()) for one in grants
        )
        self.sees_keys = self.may_call("wheel", "key.list_all")

    def may_call(self, kind: str, fun: str) -> bool:
        """Return whether a function of `kind` (runner, wheel) may be called without arguments."""
        return all(allows_function(one, Call(fun), kind) for one in self._grants)

    def may_run(self, fun: str, ids: Iterable[str]) -> bool:
        """Return whether a function may be run on all ids."""
        wanted = list(ids)
        return all(allows(one, [Call(fun)], wanted, self._ids_of) for one in self._grants)

    def ids(self, fun: str = "") -> frozenset[str] | None:
        """Return the ids on which a function may be run, or some function; None for all."""
        found = [ids_allowed(one, fun, self._ids_of) for one in self._grants]
        limited = [ids for ids in found if ids is not None]
        return frozenset.intersection(*limited) if limited else None

    def may_see_job(self, user: str, fun: Any, arg: Any, ids: Sequence[str]) -> bool:
        """Return whether a job may be seen: its user, function, arguments and minions."""
        calls = with_called(calls_of(fun, arg))
        return all(ALL in one or self._allows_job(one, calls, ids) for one in self._asked(user))

    def may_see_call(self, user: str, kind: str, fun: str) -> bool:
        """Return whether a call of a runner or wheel function may be seen."""
        return all(ALL in one or allows_function(one, Call(fun), kind) for one in self._asked(user))

    def _allows_job(self, grant: Sequence[Any], calls: Sequence[Call], ids: Sequence[str]) -> bool:
        # Everybody may ask whether a job runs, but the answer shows what it does.
        if not self.is_full and any(call.fun in ALWAYS_ALLOWED for call in calls):
            return False
        return allows(grant, calls, ids, self._ids_of)

    def _asked(self, user: str) -> Sequence[Sequence[Any]]:
        """Return the lists that decide: users see their own work, within the limits of the token."""
        return self._grants[1:] if user == self.user != _LOCAL else self._grants
