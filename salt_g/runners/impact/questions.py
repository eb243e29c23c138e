"""Index of what minions read in their last state runs, to find the minions that a change concerns.

Names are `salt://PATH`, `pillar:KEY:KEY`, `grain:NAME`, `function:MODULE.NAME`, `mine:NAME`. The master needs
`impact: True`.
"""

from __future__ import annotations

import time
from typing import Any

from salt_g import api
from salt_g.api import services
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.report import state_calls
from salt_g.report.recording import read_sets
from salt_g.services.daemons import MasterServices

#: Age from which a run counts as old (s), and maximum number of names in a question and of read-sets that are
#: decoded for `by_sls`.
OLD, MOST_NAMES, MOST_SETS = 7 * 86400.0, 5_000, 2_000


def readers(*names: str, older: float = OLD, by_sls: bool = False) -> dict[str, Any]:
    """Return the minions that read at least one of these names in their last runs.

    The result is {minions: how many have a run, readers: [id], older: [id of those whose run is older than
    `older` seconds], broad: [id of those that read everything of a kind], unknown: [id of those whose
    reads the master lacks], calls: {call: [id]}, names: {name: how many minions}}; with `by_sls`, also sls:
    {SLS: how many minions}. A call is a text made by `report/state_calls.py`.

    Example::

        salt-g run impact.readers salt://nginx/site.conf.jinja pillar:nginx:port
    """
    if not names or len(names) > MOST_NAMES:
        raise InvocationError(f"give 1 to {MOST_NAMES:,} names, as in: impact.readers pillar:nginx")
    index = _index()
    found = {one: None for name in names for one in index.readers(read_sets.question(str(name)))}
    newest: dict[str, float] = {}
    calls: dict[str, set[str]] = {}
    read: dict[str, set[str]] = {}
    for one in found:
        newest[one.minion] = max(newest.get(one.minion, 0.0), one.at)
        calls.setdefault(one.call, set()).add(one.minion)
        read.setdefault(one.name, set()).add(one.minion)
    before = time.time() - older
    broad = {id for name, ids in read.items() if read_sets.is_broad(name) for id in ids}
    result = {
        "minions": index.minions(),
        "readers": sorted(newest),
        "older": sorted(id for id, at in newest.items() if at < before),
        "broad": sorted(broad),
        "unknown": index.unknown(),
        "calls": {call: sorted(ids) for call, ids in sorted(calls.items())},
        "names": {name: len(ids) for name, ids in sorted(read.items())},
    }
    return {**result, "sls": _by_sls(found, read)} if by_sls else result


def reads(minion: str) -> dict[str, Any]:
    """Return the names read in a minion's last runs: {call: {at, sls: {SLS: {name: digest of the content}}}}.

    The digest is '' for a name without content. Names that belong to no SLS, such as the top file, are under
    ''.

    Example::

        salt-g run impact.reads web1
    """
    index = _index()
    return {
        state_calls.shown(one.call): {"at": one.at, "sls": index.names(one.digest)}
        for one in index.runs_of(str(minion))
    }


def _by_sls(found: Any, read: Any) -> dict[str, int]:
    """Return {SLS: number of minions on which it read any of the names}."""
    index = _index()
    by_set: dict[bytes, set[str]] = {}
    for one in found:
        by_set.setdefault(one.digest, set()).add(one.minion)
    if len(by_set) > MOST_SETS:
        raise CommandExecutionError(f"{len(by_set):,} different sets are too many for by_sls; ask without it")
    counted: dict[str, set[str]] = {}
    for digest, minions in by_set.items():
        for sls, names in index.names(digest).items():
            if not read.keys().isdisjoint(names):
                counted.setdefault(sls, set()).update(minions)
    return {sls or "top file": len(ids) for sls, ids in sorted(counted.items())}


def _index() -> Any:
    if not api.opts.get("impact"):
        raise CommandExecutionError(
            "this master does not keep what state runs read; set impact: True and restart it"
        )
    return services(MasterServices).read_sets
