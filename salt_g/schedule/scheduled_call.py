"""Function call of a scheduled job, and the fields of its return.

Minion and master run such jobs differently, but read the same settings.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from salt_g.shapes import Arguments, CallArguments, ScheduleSettings


def arguments_of(settings: ScheduleSettings) -> CallArguments:
    """Return the arguments of a scheduled job: `args` (any value but a list is one argument), `kwargs`."""
    given = settings.get("args")
    args = list(given) if isinstance(given, list | tuple) else [] if given is None else [given]
    kwargs = settings.get("kwargs")
    return args, dict(kwargs) if isinstance(kwargs, Mapping) else {}


def metadata_of(settings: ScheduleSettings, now: float) -> Arguments:
    """Return the `metadata` of a job with the time added as stock does, or {} if there is none.

    `now` is in seconds since the epoch.
    """
    metadata = settings.get("metadata")
    if not isinstance(metadata, Mapping):
        return {}
    return {
        **metadata,
        "_TOS": time.strftime("%z", time.localtime(now)),
        "_TS": time.ctime(now),
        "_TT": time.strftime("%Y %B %d %a %H %m", time.gmtime(now)),
    }


def returners_of(*named: Any) -> list[str]:
    """Return the unique names of returners in settings that contain one or a list of them."""
    names: list[str] = []
    for one in named:
        names += [str(name) for name in (one if isinstance(one, list | tuple) else [one] if one else [])]
    return list(dict.fromkeys(names))
