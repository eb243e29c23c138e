"""`salt.runner` and `salt.wheel`: functions run on the master."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, current, opts, own_arguments
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import outcome, would_change


@takes_any
def runner(name: str, **kwargs: Any) -> StateReturn:
    """Run the runner function `name`; further arguments are passed to it.

    Example::

        run-manage-up:
          salt.runner:
            - name: manage.up
    """
    if opts.get("test"):
        return would_change(name, f"Runner function '{name}' would be executed.")
    returned = call("saltutil.runner", name, full_return=True, **orchestrated(), **own_arguments(kwargs))
    return _state_return("Runner", name, returned)


@takes_any
def wheel(name: str, **kwargs: Any) -> StateReturn:
    """Run the wheel function `name`; further arguments are passed to it.

    Example::

        accept_minion_key:
          salt.wheel:
            - name: key.accept
            - match: frank
    """
    if opts.get("test"):
        return would_change(name, f"Wheel function '{name}' would be executed.")
    return _state_return(
        "Wheel", name, call("saltutil.wheel", name, **orchestrated(), **own_arguments(kwargs))
    )


def orchestrated() -> dict[str, Any]:
    """Return the orchestration data passed to a function on the master."""
    low = current().low
    return {
        "__orchestration_jid__": low.get("__orchestration_jid__"),
        "__env__": low.get("__env__") or "base",
        "__pub_user": current().job.get("user", "UNKNOWN"),
    }


def _state_return(kind: str, name: str, returned: dict[str, Any]) -> StateReturn:
    value = returned.get("return")
    is_good = returned.get("success", True) and not (isinstance(value, dict) and "Error" in value)
    extra = {"__jid__": returned["jid"]} if "jid" in returned else {}
    comment = f"{kind} function '{name}' {'executed' if is_good else 'failed'}."
    return outcome(name, bool(is_good), comment, {"return": value}, **extra)
