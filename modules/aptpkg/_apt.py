"""Runs of apt and dpkg without prompts, repeated while dpkg is locked, safe from a restart of the minion.

Units: seconds.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Any

from salt_g.modules import _systemd
from salt_g.modules._booleans import one_mapping
from salt_g.modules._network_programs import run_online
from salt_g.shapes import Completed

log = logging.getLogger(__name__)

#: Environment variables that keep apt and package scripts from prompting.
ENVIRONMENT = {
    "APT_LISTBUGS_FRONTEND": "none",
    "APT_LISTCHANGES_FRONTEND": "none",
    "DEBIAN_FRONTEND": "noninteractive",
    "UCF_FORCE_CONFFOLD": "1",
}
#: Number of retries while another program holds the lock, after pauses of 2, 4, 8, ... seconds.
LOCK_RETRIES = 10


def apt(argv: Sequence[str], *, scope: bool = True, env: Any = None, **options: Any) -> Completed:
    """Run one of apt's or dpkg's programs; `env` has further environment variables.

    `scope` protects the program from a restart of the minion's service; programs that only read can do
    without.
    """
    prefix = _systemd.scope_prefix("--description", '"salt_g.modules.aptpkg"') if scope else []
    words = [*prefix, *argv]
    options["env"] = {**one_mapping(env), **ENVIRONMENT}
    finished = run_online(words, **options)
    for attempt in range(1, LOCK_RETRIES + 1):
        if "Could not get lock" not in finished["stderr"]:
            break
        log.warning("Waiting for dpkg lock release: retrying... %s/%s", attempt, LOCK_RETRIES)
        time.sleep(2**attempt)
        finished = run_online(words, **options)
    return finished
