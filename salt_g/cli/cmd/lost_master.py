"""Messages about a run whose master ended while a command followed it: what continues, and how to follow it.

The command fails nevertheless, because it does not know how the run ends.
Source: docs/cluster.md, "Batches and orchestrations".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from salt_g.shapes import Opts


def of_job(jid: str, opts: Opts) -> str:
    """Return the message about a job: its minions continue, and a master stores their returns."""
    return (
        f"The minions continue job {jid}. To follow it {_place(opts)}: salt-g attach {jid}."
        f" To see its returns: {_lookup(jid)}"
    )


def of_batch(jid: str, opts: Opts, extra: Mapping[str, Any]) -> str:
    """Return the message about a batch; `extra` holds the credentials of its user."""
    # A batch of a user who logged in with a password cannot be resumed, because no password is stored.
    if _is_kept(opts) and not ("eauth" in extra and "token" not in extra):
        return f"The batch {jid} continues. To follow it {_place(opts)}: salt-g attach {jid}"
    return f"No more minions start batch {jid}. To see its returns {_place(opts)}: {_lookup(jid)}"


def of_function(fun: str, jid: str, opts: Opts) -> str:
    """Return the message about a runner; an orchestration may continue, other runners end with the master."""
    # Imported lazily: needed only when the master was lost.
    from salt_g.master.calls.plugin_call import RESUMED

    if fun in RESUMED and _is_kept(opts):
        return f"The orchestration {jid} continues. To see its result {_place(opts)}: {_lookup(jid)}"
    ended = f"{fun} ended with it, and what it had begun is not repeated."
    return f"{ended} To see its verdict {_place(opts)}: {_lookup(jid)}" if opts.get("cluster") else ended


def _place(opts: Opts) -> str:
    return "at another master of the cluster" if opts.get("cluster") else "when this master runs again"


def _lookup(jid: str) -> str:
    return f"salt-g run jobs.lookup_jid {jid}"


def _is_kept(opts: Opts) -> bool:
    """Return whether a master can resume runs, in a cluster or alone with a store file and no secrets."""
    return bool(opts.get("cluster")) or not (opts.get("store") or opts.get("pillar_secrets"))
