"""Placeholders for the returns of silent minions, by verdict.

The Python API returns them; the command line prints them.
Source: stock's texts where stock has one; all begin with `Minion did not return.`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import salt_g.client.return_collector as return_collector
from salt_g.client.return_collector import ReturnCollector

if TYPE_CHECKING:
    from salt_g.shapes.loads import ReturnLoad

#: Common beginning of the texts about missing returns.
SILENT = "Minion did not return."
_LATER = (
    "\nThe minions may not have all finished running and any remaining minions will return upon completion."
    " To look up the return data for this job later, run the following command:\n\n"
    "salt-g run jobs.lookup_jid {jid}"
)
_WORDS = {
    return_collector.NOT_CONNECTED: "[Not connected]",
    return_collector.NOT_RUNNING: "[Not running]\nThe minion answers, but it does not run this job.",
    return_collector.RUNNING: "[Running]" + _LATER,
    return_collector.NO_ANSWER: "[No response]" + _LATER,
}


def absence_text(known: Mapping[str, Any]) -> str:
    """Return lines about a silent minion: when the master last heard from it, and what it was doing."""
    lines = []
    if not known.get("connected", True) and known.get("heard"):
        lines.append(f"Last heard of at {moment(known['heard'])}.")
    if step := known.get("step"):
        now = f", in {step['fun']} {step['id']}" if "fun" in step else ""
        lines.append(f"It had received the job: {step['done']} of {step['total']} states were done{now}.")
    return "".join(f"\n{line}" for line in lines)


def moment(epoch: float) -> str:
    """Format a time (seconds since the epoch) in UTC."""
    import time

    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(epoch))


def silent_return(watch: ReturnCollector, id: str) -> ReturnLoad:
    """Return {"ret", "out", "retcode"} for a minion that did not return."""
    words = _WORDS[watch.verdict(id)].format(jid=watch.jid)
    return {"out": "no_return", "ret": f"{SILENT} {words}", "retcode": 1}
