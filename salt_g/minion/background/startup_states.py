"""States applied at the start of a minion (`startup_states`)."""

from __future__ import annotations

from typing import Any

from salt_g.minion.settings import StartupStateSettings
from salt_g.shapes.loads import JobLoad


def startup_job(settings: StartupStateSettings) -> JobLoad | None:
    """Return the load of the job to run at the start, or None if there is none.

    The master assigns a new jid to the job's return (`req`), because it did not publish the job.
    """
    wanted = settings.startup_states
    if not wanted:
        return None
    arg: list[Any]
    if wanted == "sls":
        fun, arg = "state.sls", [list(settings.sls_list)]
    elif wanted == "top":
        fun, arg = "state.top", [settings.top_file]
    else:
        fun, arg = "state.highstate", []
    return {"fun": fun, "arg": arg, "ret": settings.ext_job_cache, "return_jid": "req"}
