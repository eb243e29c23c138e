"""Summary of a job in lists of jobs.

Used for the job cache, and for the running jobs reported by minions.
Source: the keys are stock's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def summary(load: Mapping[str, Any]) -> dict[str, Any]:
    """Return a load as shown in lists of jobs."""
    arg = list(load.get("arg") or [])
    shown = {
        "Function": load.get("fun", "unknown-function"),
        "Arguments": arg,
        "Target": load.get("tgt", "unknown-target"),
        "Target-type": load.get("tgt_type", "list"),
        "User": load.get("user", "root"),
    }
    named = [one for one in arg if isinstance(one, dict) and one.get("__kwarg__") is True]
    # Set for the job by the client that published it, or as an argument on the command line.
    for place in (load, load.get("kwargs") or {}, *named):
        if "metadata" in place:
            return {**shown, "Metadata": place["metadata"]}
    return shown
