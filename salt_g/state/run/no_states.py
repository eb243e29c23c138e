"""Return of a highstate that has no states to run: one failed entry that says why.

Source: stock docs "The Top File"; conformance area `top`.
"""

from __future__ import annotations

import logging

from salt_g import api
from salt_g.shapes import LowTag, Running, StateReturn

log = logging.getLogger(__name__)

#: Tag of the only entry in the return of a run without states.
NO_STATES = str(LowTag("no", "states", "states", "None"))
#: Comments for a minion that matches nothing in the top file, and for matched SLS without states.
NO_MATCH = "No Top file or master_tops data matches found. Please see master log for details."
NOTHING_DECLARED = "No states found for this minion"


def no_match() -> Running:
    """Return the failed outcome of a top file that assigns nothing; for a minion, log which file it was."""
    resource, opts = api.current().resource, api.current().opts
    if not resource:
        roots = f" below {opts['file_roots']}" if opts.get("file_client") == "local" else ""
        log.error(
            "%r matches nothing for %s%s; see state.show_top",
            opts.get("state_top", "top.sls"),
            opts["id"],
            roots,
        )
        return running(NO_MATCH)
    text = f"No Top file or master_tops data matches found for resource '{resource['id']}'."
    return running(text, name="states")


def running(comment: str, *, name: str = "No States") -> Running:
    """Return the running dict with the failed entry."""
    entry: StateReturn = {"result": False, "comment": comment, "name": name, "changes": {}, "__run_num__": 0}
    return {NO_STATES: entry}
