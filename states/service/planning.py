"""Changes that a service state would make, for plans; in test mode the states do not report changes."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions
from salt_g.shapes import Changes
from salt_g.states.service._platform import as_bool, is_available, is_offline

#: {state function: whether the service then runs}
_RUNS = {"running": True, "dead": False}
#: {state function: whether the service is then enabled at boot}
_BOOTS = {"enabled": True, "disabled": False}


def mod_plan(
    name: str,
    fun: str = "running",
    enable: Any = None,
    sig: str | None = None,
    unmask: bool = False,
    **kwargs: Any,
) -> Changes:
    """Return the changes that a state (`fun`) would make to a service, or {} if none are known.

    Called by the state engine in test runs for a plan.

    Example::

        salt-g state.single service.mod_plan cron enable=True
    """
    if fun not in (*_RUNS, *_BOOTS) or is_offline() or not is_available(name):
        return {}
    runs = bool(call("service.status", name, sig))
    boots = bool(call("service.enabled", name)) if "service.enabled" in functions else None
    is_masked = "service.masked" in functions and bool(call("service.masked", name))
    wanted = _BOOTS.get(fun, as_bool(enable))
    old = _words(runs, boots if wanted is not None else None, is_masked)
    new = _words(_RUNS.get(fun, runs), wanted, is_masked and not unmask)
    return {} if old == new else {name: {"old": old, "new": new}}


def _words(runs: bool, boots: bool | None, is_masked: bool) -> str:
    """Return the state of a service as text; `boots` None omits whether it is enabled at boot."""
    words = ["running" if runs else "dead"]
    if boots is not None:
        words.append("enabled" if boots else "disabled")
    return ", ".join([*words, "masked"] if is_masked else words)
