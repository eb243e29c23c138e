"""States of processes that must not run."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, outcome


def __virtual__() -> bool | tuple[bool, str]:
    return True if "ps.pkill" in functions else (False, "ps module could not be loaded")


def absent(name: str, user: str | None = None, signal: int | None = None) -> StateReturn:
    """Ensure that no process runs whose command line contains the text `name`.

    user
        The user whose processes to end.
    signal
        The number of the signal to send, 15 by default.

    Example::

        salt-g state.single process.absent '/usr/bin/old-agent' user=root
    """
    none = "No matching processes running"
    if opts["test"]:
        running = call("ps.pgrep", name, user=user)
        return outcome(name, None, f"{len(running)} processes will be killed" if running else none)
    options: dict[str, Any] = {"signal": signal} if signal else {}
    done = call("ps.pkill", name, user=user, full=True, **options)
    return changed(name, f"Killed {len(done['killed'])} processes", done) if done else as_wanted(name, none)
