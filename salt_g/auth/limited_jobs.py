"""Restrictions on the additional fields of a job from a caller with limited rights.

Clear commands and peer publishing share these restrictions.
Shapes: a load is the load of the clear command `publish`; its `kwargs` are additional fields, by name.
Source: wire specification, section 10.2; security properties 9 and 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.auth.permissions import FunctionCall
from salt_g.shapes.loads import Load, LoadFields

#: Fields that can open files or start programs on minions, so they need the permission for `cmd.run`,
#: whatever the calls of the job are.
STEERING = ("ret_config", "ret_kwargs", "module_executors", "executor_opts")
_ANYTHING = FunctionCall("cmd.run")
#: Fields set by daemons: the minion or host that publishes a job, and the time a master of masters waits.
_OF_DAEMONS = ("id", "to")
#: Prefix of argument names that minions add themselves.
_ADDED = "__"


def further_calls(ret: Any, extra: Mapping[str, Any], *, always: str = "") -> list[FunctionCall] | None:
    """Return the calls that the additional fields of a job need permission for, or None if malformed.

    A returner needs permission for its function `<name>.returner`, unless it is in `always` (the master's
    `ext_job_cache`, which clients add themselves).
    """
    if ret is not None and not isinstance(ret, str):
        return None
    names = dict.fromkeys(name.strip() for name in (ret or "").split(","))
    free = {name.strip() for name in always.split(",")}
    calls = [FunctionCall(f"{name}.returner") for name in names if name and name not in free]
    return [*calls, _ANYTHING] if any(extra.get(name) for name in STEERING) else calls


def forged_names(calls: Iterable[FunctionCall]) -> list[str]:
    """Return the names of arguments that only a daemon may add, such as `__pub_user` and `__pub_id`."""
    return sorted(name for call in calls for name in call.kwargs if name.startswith(_ADDED))


def without_daemon_fields(load: LoadFields) -> Load:
    """Return a load without the fields that daemons set."""
    return {name: value for name, value in load.items() if name not in _OF_DAEMONS}
