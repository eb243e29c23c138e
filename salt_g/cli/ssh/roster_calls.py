"""Calls on hosts of the roster on behalf of a call on another host (`publish.*`, `mine.get`).

Errors: RosterError, TargetError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from salt_g.cli.ssh.host_calls import HostReturn, each
from salt_g.cli.ssh.host_contexts import HostContexts
from salt_g.cli.ssh.roster_hosts import RosterHosts
from salt_g.data.nested import DELIMITER
from salt_g.shapes import Opts

#: Default of `ssh_max_procs`: maximum number of hosts worked on concurrently.
_AT_ONCE = 25


def on_targeted_hosts(
    opts: Opts, tgt: Any, tgt_type: str, roster: str | None, work: Callable[[HostContexts, str], HostReturn]
) -> Iterator[HostReturn]:
    """Yield the results of `work` on the hosts of a target; `roster` replaces the command's roster."""
    chosen = {**opts, "roster": roster} if roster else opts
    found = RosterHosts(chosen).targeted(tgt, tgt_type, DELIMITER, takes_addresses=False)
    limit = int(chosen.get("ssh_max_procs") or _AT_ONCE)
    try:
        yield from each(found.hosts, lambda id: work(found.contexts, id), limit=limit)
    finally:
        found.contexts.close()
