"""Requests for the cached data of a job.

Our master answers over its socket; a stock master's files are read directly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from salt_g.client.link import Link
from salt_g.client.publishing import error_of

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import JobLoad, ReturnLoad

#: Timeout of the request (s).
TIMEOUT = 30.0


class CachedJob(NamedTuple):
    """Cached data: the job's load and {id: {"return", "retcode"?, "success"?, "out"?}}."""

    load: JobLoad
    returns: dict[str, ReturnLoad]


def cached_job(link: Link, opts: Opts, jid: str, user: str) -> CachedJob:
    """Return the cached data of a job; both parts are empty for an unknown job."""
    reply = link.ask({"cmd": "job", "jid": jid, "user": user}, timeout=TIMEOUT)
    if isinstance(reply, dict) and reply.get("error"):
        raise error_of(reply["error"])
    if isinstance(reply, dict) and isinstance(reply.get("returns"), dict):
        return CachedJob(reply.get("load") or {}, reply["returns"])
    import salt_g.client.stock_files as stock_files

    return CachedJob(stock_files.job_load(opts, jid), stock_files.job_returns(opts, jid))
