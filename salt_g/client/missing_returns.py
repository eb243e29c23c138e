"""Placeholders for the returns of silent minions, by verdict.

The Python API returns them, the command line prints them.
Source: stock's texts where stock has one; all begin with `Minion did not return.`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import salt_g.client.return_collector as return_collector
from salt_g.client.return_collector import ReturnCollector

if TYPE_CHECKING:
    from salt_g.shapes.loads import ReturnLoad

#: Common beginning of the texts.
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


def silent_return(watch: ReturnCollector, id: str) -> ReturnLoad:
    """Return {"ret", "out", "retcode"} for a minion that did not return."""
    words = _WORDS[watch.verdict(id)].format(jid=watch.jid)
    return {"out": "no_return", "ret": f"{SILENT} {words}", "retcode": 1}
