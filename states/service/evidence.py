"""Evidence for a failed service state: the status of the unit in systemd, and the end of its journal."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, functions
from salt_g.process.secret_hiding import hide
from salt_g.states.service._platform import BOOTED_MARK

#: Lines of the journal, maximum size (characters) and time to wait for systemctl (s).
_LINES, _MAX_SIZE, _TIMEOUT = 15, 4096, 5


def mod_evidence(name: str, **kwargs: Any) -> str:
    """Return the status of a unit with its newest journal lines, or '' if systemd does not run.

    Called by the state engine after a failure.

    Example::

        salt-g state.single service.mod_evidence nginx
    """
    if "cmd.run_all" not in functions or not os.path.exists(BOOTED_MARK):
        return ""
    command = ["systemctl", "status", "--no-pager", "--full", f"--lines={_LINES}", "--", name]
    found = call("cmd.run_all", command, python_shell=False, ignore_retcode=True, timeout=_TIMEOUT)
    # Secrets first: one that is cut could not be recognized.
    return hide(str(found["stdout"] or found["stderr"]))[-_MAX_SIZE:].strip()
