"""States applied at the start of a minion (`startup_states`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def startup_job(opts: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the load of the job to run at the start, None if there is none.

    The master gives its return a jid of its own (`req`), since it did not publish the job.
    """
    wanted = opts.get("startup_states")
    if not wanted:
        return None
    arg: list[Any]
    if wanted == "sls":
        fun, arg = "state.sls", [list(opts.get("sls_list") or [])]
    elif wanted == "top":
        fun, arg = "state.top", [opts.get("top_file") or ""]
    else:
        fun, arg = "state.highstate", []
    return {"fun": fun, "arg": arg, "ret": opts.get("ext_job_cache") or "", "return_jid": "req"}
