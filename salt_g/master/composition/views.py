"""Views of the fleet for front ends."""

from __future__ import annotations

import time

from salt_g.cache.history import FleetHistory
from salt_g.master.composition.calls import CallParts
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.publishing import Publishing
from salt_g.master.composition.returns import Returns
from salt_g.master.composition.served_data import Serving
from salt_g.master.composition.targeting import Targeting
from salt_g.master.fleet.history_pages import HistoryPages
from salt_g.master.fleet.job_pages import JobPages
from salt_g.master.fleet.overview import Overview
from salt_g.master.fleet.views import Views
from salt_g.shapes import Opts


def compose_views(
    opts: Opts,
    persistence: Persistence,
    publishing: Publishing,
    serving: Serving,
    targeting: Targeting,
    returns: Returns,
    calls: CallParts,
) -> Views:
    """Create the views of the fleet; nothing is computed until a front end asks."""
    registry = targeting.resources.registry
    overview = Overview(
        accepted=persistence.key_files.accepted,
        data=serving.minion_data,
        session_of=publishing.sessions.get,
        connected=publishing.everywhere.connected,
        managers=lambda: [record.minion for record in registry],
        last_runs=returns.last_runs,
        # Computed once, so that setting the clock does not change all rows.
        epoch=time.time() - time.monotonic(),
    )
    return Views(
        calls.permissions.authorization,
        overview=overview,
        data=serving.minion_data,
        targets=targeting.targets,
        jobs=JobPages(persistence.jobs, returns.verdicts, steps=returns.steps.of),
        history=HistoryPages(FleetHistory(persistence.store), is_kept=bool(opts["history"])),
        target_explain=calls.services.services["target_explain"],
    )
