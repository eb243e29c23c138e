"""Permission checks: whether a list of permissions allows a call.

These functions decide for `publisher_acl`, `external_auth` and `peer`. Patterns are regular expressions that
match whole names. If a job has several functions, each must be allowed; a target is allowed if each id that
it resolves to is allowed.
Shapes: a permission is a pattern of functions, or {target: condition or list of conditions}. A condition is a
pattern, or {pattern: arguments}, where arguments are {args: [pattern or None, ...], kwargs: {name: pattern or
None}} or a list of such mappings. For runner and wheel functions: `@runner`, `@wheel`, `@<module>`, or one of
them with conditions.
Errors: none; malformed permissions allow nothing, and invalid patterns are logged.
Source: stock's documentation of `external_auth` and `publisher_acl`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.errors import TargetError
from salt_g.loader.job_arguments import split_arguments
from salt_g.regex import bounded

log = logging.getLogger(__name__)

#: Function that clients call to follow a job; it reveals only that the job runs.
ALWAYS_ALLOWED = frozenset(("saltutil.find_job",))


class FunctionCall(NamedTuple):
    """Function and its arguments, as the minion will parse them."""

    fun: str
    args: Sequence[Any] = ()
    kwargs: Mapping[str, Any] = {}


#: Resolves the target of a permission to ids.
Resolve = Callable[[str], Iterable[str]]


def calls_of(fun: Any, arg: Any) -> list[FunctionCall]:
    """Return the calls of a job; `fun` is a name or a list of names with a list of `arg` lists.

    Return [] for a malformed job, which is never allowed.
    """
    if isinstance(fun, str) and isinstance(arg, list):
        return [FunctionCall(fun, *split_arguments(arg))] if fun else []
    if not isinstance(fun, list) or not isinstance(arg, list):
        return []
    if not all(isinstance(name, str) and name for name in fun) or len(arg) != len(fun):
        return []
    if not all(isinstance(each, list) for each in arg):
        return []
    return [FunctionCall(name, *split_arguments(each)) for name, each in zip(fun, arg, strict=True)]


def allows(permissions: Any, calls: Sequence[FunctionCall], ids: Iterable[str], resolve: Resolve) -> bool:
    """Return whether all calls are allowed on all ids."""
    wanted = frozenset(ids)
    return bool(calls) and all(
        call.fun in ALWAYS_ALLOWED or _allows_one(permissions, call, wanted, resolve) for call in calls
    )


def ids_allowed(permissions: Any, fun: str, resolve: Resolve) -> frozenset[str] | None:
    """Return the ids on which a function is allowed without arguments, or None for all ids.

    With '' for `fun`, return the ids on which any function is allowed.
    """
    ids: set[str] = set()
    for permission in _listed(permissions):
        if isinstance(permission, str):
            if not permission.startswith("@") and (not fun or matches_whole(permission, fun)):
                return None
        elif isinstance(permission, Mapping) and len(permission) == 1:
            target, conditions = next(iter(permission.items()))
            if not isinstance(target, str) or target.startswith("@"):
                continue
            if not _listed(conditions) or (fun and not _meets(conditions, FunctionCall(fun))):
                continue
            if target == "*":
                return None
            ids.update(resolve(target))
    return frozenset(ids)


def allows_function(permissions: Any, call: FunctionCall, kind: str) -> bool:
    """Return whether a function of `kind` (`runner`, `wheel`) is allowed; its name is `module.function`."""
    module, _, function = call.fun.partition(".")
    wide = (f"@{kind}", f"@{kind}s")
    for permission in _listed(permissions):
        if isinstance(permission, str):
            if permission in wide or permission == f"@{module}":
                return True
        elif isinstance(permission, Mapping) and len(permission) == 1:
            scope, conditions = next(iter(permission.items()))
            if scope in wide and _meets(conditions, call):
                return True
            if scope == f"@{module}" and _meets(conditions, call._replace(fun=function)):
                return True
    return False


def matches_whole(pattern: Any, text: str) -> bool:
    """Return whether a regular expression matches the whole text; an invalid one matches nothing."""
    if not isinstance(pattern, str):
        return False
    try:
        return bounded.matches_whole(pattern, text)
    except TargetError as exc:
        log.error("ignored an invalid permission: %s", exc)
        return False


def _allows_one(permissions: Any, call: FunctionCall, wanted: frozenset[str], resolve: Resolve) -> bool:
    """Return whether the permissions that match a call together cover all ids."""
    missing = set(wanted)
    for permission in _listed(permissions):
        if isinstance(permission, str):
            if not permission.startswith("@") and matches_whole(permission, call.fun):
                return True
        elif isinstance(permission, Mapping) and len(permission) == 1:
            target, conditions = next(iter(permission.items()))
            if not isinstance(target, str) or target.startswith("@") or not _meets(conditions, call):
                continue
            if target == "*":
                return True
            missing.difference_update(resolve(target))
            if wanted and not missing:
                return True
    return False


def _meets(conditions: Any, call: FunctionCall) -> bool:
    """Return whether a call meets one of the conditions."""
    for condition in _listed(conditions):
        if isinstance(condition, str):
            if matches_whole(condition, call.fun):
                return True
        elif isinstance(condition, Mapping) and len(condition) == 1:
            pattern, wanted = next(iter(condition.items()))
            if matches_whole(pattern, call.fun) and any(_fits(one, call) for one in _listed(wanted)):
                return True
    return False


def _fits(wanted: Any, call: FunctionCall) -> bool:
    """Return whether the arguments of a call match {args: [...], kwargs: {...}}."""
    if not isinstance(wanted, Mapping):
        return False
    args, kwargs = wanted.get("args") or [], wanted.get("kwargs") or {}
    if not isinstance(args, list) or not isinstance(kwargs, Mapping) or len(call.args) < len(args):
        return False
    return all(_value_fits(*pair) for pair in zip(args, call.args, strict=False)) and all(
        name in call.kwargs and _value_fits(pattern, call.kwargs[name]) for name, pattern in kwargs.items()
    )


def _value_fits(pattern: Any, value: Any) -> bool:
    return pattern is None or matches_whole(str(pattern), str(value))


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else [value]
