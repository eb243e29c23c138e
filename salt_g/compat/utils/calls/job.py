"""Stock's `salt.utils.job`: exit codes of returns, and the time for which jobs are kept."""

from collections.abc import Mapping
from typing import Any


def get_retcode(ret: Mapping[str, Any]) -> int:
    """Return the exit code of a return; 1 for a failure without an exit code, 0 for other values."""
    if isinstance(ret, Mapping) and ret.get("retcode"):
        return int(ret["retcode"])
    return 0 if not isinstance(ret, Mapping) or ret.get("success", True) else 1


def get_keep_jobs_seconds(opts: Mapping[str, Any]) -> int:
    """Return the time for which jobs are kept, in seconds."""
    return int(opts.get("keep_jobs_seconds") or opts.get("keep_jobs", 24) * 3600)


__all__ = ["get_keep_jobs_seconds", "get_retcode"]
