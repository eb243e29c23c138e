"""Summary of a job in lists of jobs.

Used for the job cache, and for the running jobs reported by minions.
Source: the keys are stock's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from salt_g.shapes.loads import JobLoad, JobSummary


def summary(load: JobLoad) -> JobSummary:
    """Return the summary of a job's load."""
    arg = list(load.get("arg") or [])
    shown: JobSummary = {
        "Function": load.get("fun", "unknown-function"),
        "Arguments": arg,
        "Target": load.get("tgt", "unknown-target"),
        "Target-type": load.get("tgt_type", "list"),
        "User": load.get("user", "root"),
    }
    named = [one for one in arg if isinstance(one, dict) and one.get("__kwarg__") is True]
    # `metadata` is set by the client that published the job, or as an argument on the command line.
    for place in (load, load.get("kwargs") or {}, *named):
        if "metadata" in place:
            shown["Metadata"] = place["metadata"]
            break
    return shown
