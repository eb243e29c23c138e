"""Checks of processes and load, as conditions of other states; nothing is changed.

Shapes: `data` of a result holds the measured values.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._outcome import outcome


def loadavg(name: str, maximum: float | None = None, minimum: float | None = None) -> StateReturn:
    """Check that a load average (`1-min`, `5-min`, `15-min`) is within limits.

    Example::

        salt-g state.single status.loadavg 15-min maximum=8
    """
    averages = call("status.loadavg")
    if name not in averages:
        return _state_return(name, False, f"Requested load average {name} not available ", {})
    if minimum and maximum and minimum >= maximum:
        return _state_return(name, False, "Min must be less than max", {})
    load = float(averages[name])
    if minimum and load < float(minimum):
        return _state_return(name, False, f"Load avg is below minimum of {minimum} at {load}", averages[name])
    if maximum and load > float(maximum):
        return _state_return(name, False, f"Load avg above maximum of {maximum} at {load}", averages[name])
    return _state_return(name, True, "Load avg in acceptable range", averages[name])


def process(name: str) -> StateReturn:
    """Check that a process runs whose line in the process list matches the regular expression `name`.

    Example::

        salt-g state.single status.process sshd
    """
    found = call("status.pid", name)
    verb = "was found" if found else "not found"
    return _state_return(name, bool(found), f'Process signature "{name}" {verb} ', found or {})


def _state_return(name: str, result: bool, comment: str, data: Any) -> StateReturn:
    return {**outcome(name, result, comment), "data": data}  # type: ignore[typeddict-unknown-key]
