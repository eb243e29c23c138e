"""States applied at the start of a minion (`startup_states`)."""

from __future__ import annotations

from typing import Any

from salt_g.shapes import Opts
from salt_g.shapes.loads import JobLoad


def startup_job(opts: Opts) -> JobLoad | None:
    """Return the load of the job to run at the start, None if there is none.

    The master assigns a new jid to its return (`req`), since it did not publish the job.
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
