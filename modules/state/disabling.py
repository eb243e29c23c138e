"""Disabling and enabling of SLS, state functions or the highstate.

Shapes: the grain `state_runs_disabled` is a list of SLS names, patterns `mod.*`, functions
`mod.fun` and the word `highstate`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salt_g.api import call, has
from salt_g.modules.state._running import split
from salt_g.modules.state._switches import GRAIN, switched_off


def disable(states: Any) -> dict[str, Any]:
    """Disable states: SLS names, functions (`mod.fun`), patterns (`mod.*`), or `highstate`.

    Example::

        salt-g state.disable highstate
    """
    off = switched_off()
    messages = []
    for state in split(states):
        if state in off:
            messages.append(f"Info: {state} state already disabled.")
        else:
            off.append(state)
            messages.append(f"Info: {state} state disabled.")
    return _keep(off, messages)


def enable(states: Any) -> dict[str, Any]:
    """Enable disabled states.

    Example::

        salt-g state.enable highstate
    """
    off = switched_off()
    messages = []
    for state in split(states):
        if state in off:
            off.remove(state)
            messages.append(f"Info: {state} state enabled.")
        else:
            messages.append(f"Info: {state} state already enabled.")
    return _keep(off, messages)


def list_disabled() -> Any:
    """Return the disabled states.

    Example::

        salt-g state.list_disabled
    """
    return call("grains.get", GRAIN)


def disabled_messages(names: Iterable[Any]) -> list[str]:
    """Return a line for each of these SLS that is disabled."""
    off = switched_off()
    return [message for name in names for entry in off if (message := _message(str(name), str(entry)))]


def is_highstate_disabled() -> bool:
    """Return whether the highstate is disabled."""
    return "highstate" in switched_off()


def _message(name: str, entry: str) -> str:
    if ".*" in entry:
        if name.startswith(entry.partition(".")[0] + "."):
            return (
                f'The state file "{name}" is currently disabled by "{entry}", to re-enable, '
                f"run state.enable {entry}."
            )
    elif entry == name:
        return f'The state file "{name}" is currently disabled, to re-enable, run state.enable {name}.'
    return ""


def _keep(off: list[Any], messages: list[str]) -> dict[str, Any]:
    if off != switched_off():
        call("grains.setval", GRAIN, off)
    if has("saltutil.refresh_modules"):
        call("saltutil.refresh_modules")
    return {"res": True, "msg": "\n".join(messages)}
