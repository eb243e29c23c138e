"""Lock records: their form in the store, the jobs that they refuse, and freezes from the settings.

Shapes: a freeze of `change_freezes` is {name, reason, from, until, target: '*', tgt_type: glob}; its id as a
lock is `freeze:<name>`. The id of a user's lock has eight hexadecimal digits.
Units: seconds since the epoch; `from` and `until` of freezes are ISO dates or times in the master's time
zone.
Errors: ConfigError for a malformed freeze.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.auth.called_functions import with_called
from salt_g.auth.permissions import FunctionCall
from salt_g.data.moments import shown_time
from salt_g.data.nested import DELIMITER
from salt_g.errors import ConfigError, TargetError
from salt_g.loader.job_arguments import split_arguments
from salt_g.loader.test_runs import is_test_run
from salt_g.match.explain import check_target
from salt_g.match.matchers import TYPES
from salt_g.regex.name_patterns import matches_name

#: Maximum number of minions named in a refusal.
_NAMED = 3
_FREEZE = ("name", "reason", "from", "until")


class Lock(NamedTuple):
    """Lock on a target, in force from `since` to `until`."""

    id: str
    target: Any
    tgt_type: str
    owner: str
    reason: str
    since: float
    until: float
    delimiter: str = DELIMITER

    @property
    def is_freeze(self) -> bool:
        """Whether this is a freeze from the settings."""
        return self.id.startswith("freeze:")

    def holds(self, now: float) -> bool:
        """Return whether the lock is in force."""
        return self.since <= now < self.until

    def refusal(self, locked: Sequence[str], number: int) -> str:
        """Return the refusal of a job on `number` minions, of which `locked` are locked."""
        named = ", ".join(locked[:_NAMED])
        more = f" and {len(locked) - _NAMED} more" if len(locked) > _NAMED else ""
        verb = "is" if len(locked) == 1 else "are"
        of = f" ({len(locked)} of {number} minions)" if number > len(locked) else ""
        until = shown_time(self.until)
        how = "frozen" if self.is_freeze else "locked"
        return f"{named}{more}{of} {verb} {how} by {self.owner} until {until}: {self.reason} (lock {self.id})"


def is_change(fun: Any, arg: Any, exempt: Iterable[str]) -> bool:
    """Return whether locks apply to a job; they do not if all its functions are exempt or test runs."""
    names = fun if isinstance(fun, list) else [fun]
    lists = arg if isinstance(fun, list) else [arg]
    patterns = [str(pattern) for pattern in exempt]
    if not isinstance(lists, list) or len(lists) != len(names):
        return True
    calls = [
        FunctionCall(str(name), *split_arguments(words if isinstance(words, list) else []))
        for name, words in zip(names, lists, strict=True)
    ]
    return not all(
        any(matches_name(call.fun, pattern) for pattern in patterns) or is_test_run(call.fun, call.kwargs)
        for call in with_called(calls)
    )


def in_force(locks: Iterable[Lock], now: float, despite: Collection[str] = ()) -> list[Lock]:
    """Return the locks in force except those in `despite`."""
    return [lock for lock in locks if lock.holds(now) and lock.id not in despite]


def freezes_of(rows: Any) -> list[Lock]:
    """Return the freezes of the setting `change_freezes`; raises ConfigError."""
    found = [_freeze(row, number) for number, row in enumerate(rows or [], 1)]
    names = [lock.id for lock in found]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError([f"change_freezes: two freezes have the name {name.partition(':')[2]!r}"])
    return found


def _freeze(row: Any, number: int) -> Lock:
    where = f"change_freezes: number {number}"
    if not isinstance(row, Mapping) or not all(row.get(name) for name in _FREEZE):
        raise ConfigError([f"{where} needs {', '.join(_FREEZE)}"])
    unknown = sorted(row.keys() - {*_FREEZE, "target", "tgt_type"})
    if unknown:
        raise ConfigError([f"{where} has unknown fields: {', '.join(map(str, unknown))}"])
    since = min(_moments(row["from"], f"{where}, from"))
    until = max(_moments(row["until"], f"{where}, until"))
    if until <= since:
        raise ConfigError([f"{where} ends before it begins"])
    return Lock(
        f"freeze:{row['name']}",
        row.get("target", "*"),
        str(row.get("tgt_type", "glob")),
        "the setting change_freezes",
        str(row["reason"]),
        since,
        until,
    )


def check_freezes(
    freezes: Iterable[Lock], nodegroups: Mapping[str, Any], resolve: Callable[[Any, str, str], Any]
) -> None:
    """Raise ConfigError for a malformed target, which would match nothing or refuse every job.

    `resolve` checks target types that only users' matchers have.
    """
    for freeze in freezes:
        try:
            check_locked(freeze.target, freeze.tgt_type, nodegroups, resolve)
        except TargetError as exc:
            raise ConfigError([f"change_freezes: {freeze.id.partition(':')[2]}: {exc}"]) from exc


def check_locked(
    target: Any, tgt_type: str, nodegroups: Mapping[str, Any], resolve: Callable[[Any, str, str], Any]
) -> None:
    """Raise TargetError for a malformed target of a lock or freeze, which would protect nothing.

    A well-formed target that matches no minion now is accepted. `resolve` is as for `check_freezes`.
    """
    if tgt_type in TYPES:
        _check_form(target, tgt_type)
        check_target(target, tgt_type, nodegroups=nodegroups)
    else:
        resolve(target, tgt_type, DELIMITER)


def _check_form(target: Any, tgt_type: str) -> None:
    """Raise TargetError for an empty target, and for one that YAML did not read as text."""
    takes_list = tgt_type in ("list", "compound")
    if not isinstance(target, (str, list) if takes_list else str):
        raise TargetError(f"target {target!r} must be text" + (" or a list" if takes_list else ""))
    words = target if isinstance(target, list) else target.split(",") if tgt_type == "list" else [target]
    if not any(str(word).strip() for word in words):
        raise TargetError(f"target {target!r} is empty")


def _moments(value: Any, where: str) -> list[float]:
    """Return a local date or time as two Unix times, which differ only when clocks are changed."""
    try:
        if isinstance(value, datetime.datetime):
            found = value
        elif isinstance(value, datetime.date):
            found = datetime.datetime(value.year, value.month, value.day)
        else:
            # Python 3.10 does not accept the Z that stands for UTC.
            found = datetime.datetime.fromisoformat(re.sub("[Zz]$", "+00:00", str(value)))
        return [found.replace(fold=fold).timestamp() for fold in (0, 1)]
    except (ValueError, OverflowError, OSError):
        raise ConfigError([f"{where}: {value!r} is not a date like 2026-12-20 or 2026-12-20 18:00"]) from None
