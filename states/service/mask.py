"""`service.masked` and `service.unmasked`: units that cannot be started."""

from __future__ import annotations

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.safe_files.recording import before_service
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def masked(name: str, runtime: bool = False) -> StateReturn:
    """Ensure that a unit is masked; with `runtime` only until the next boot.

    Example::

        salt-g state.single service.masked cron
    """
    kind = "runtime masked" if runtime else "masked"
    return _set(name, runtime, True, kind, f"Service {name} is already {kind}")


def unmasked(name: str, runtime: bool = False) -> StateReturn:
    """Ensure that a unit is not masked; `runtime` selects a mask that lasts until the next boot.

    Example::

        salt-g state.single service.unmasked cron
    """
    kind = "runtime unmasked" if runtime else "unmasked"
    return _set(name, runtime, False, kind, f"Service {name} was already {kind}")


def _set(name: str, runtime: bool, wanted: bool, kind: str, already: str) -> StateReturn:
    if "service.masked" not in functions:
        return failed(name, "Service masking not available on this minion")
    key = "runtime masked" if runtime else "masked"
    changes = {key: {"old": not wanted, "new": wanted}}
    verb = "mask" if wanted else "unmask"
    try:
        if call("service.masked", name, runtime) == wanted:
            return as_wanted(name, already)
        if opts["test"]:
            return would_change(name, f"Service {name} would be {kind}", changes)
        before_service(name, **{"is_runtime_masked" if runtime else "is_masked": not wanted})
        call(f"service.{verb}", name, runtime)
        if call("service.masked", name, runtime) == wanted:
            return changed(name, f"Service {name} was {kind}", changes)
        return failed(name, f"Failed to {verb} service {name}")
    except CommandExecutionError as exc:
        return failed(name, str(exc))
