"""States of the minion's beacons.

Source: stock's `beacon` states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call, opts, own_arguments
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, changed, failed, outcome


@takes_any
def present(name: str, save: bool = False, **kwargs: Any) -> StateReturn:
    """Ensure that a beacon is configured with these settings.

    name
        Name of the beacon.
    save
        Save the beacon to `beacons.conf`, so that it survives a restart (default: False).

    All other arguments are settings of the beacon.

    Example::

        salt-g state.single beacon.present load averages='{1m: [0, 2], 5m: [0, 2], 15m: [0, 2]}'
    """
    wanted = [{key: value} for key, value in own_arguments(kwargs).items()]
    now = _beacons().get(name)
    if now == wanted:
        return _saved(as_wanted(name, f"Job {name} in correct state"), save)
    function, done = (
        ("add", f"Adding {name} to beacons") if now is None else ("modify", f"Modifying {name} in beacons")
    )
    return _saved(_apply(function, name, wanted, done=done, changes={name: "added"}), save)


def absent(name: str, save: bool = False, **kwargs: Any) -> StateReturn:
    """Ensure that a beacon is not configured. For `save` see `present`.

    Example::

        salt-g state.single beacon.absent load
    """
    if name not in _beacons():
        return _saved(as_wanted(name, f"{name} not configured in beacons"), save)
    done = f"Removed {name} from beacons"
    return _saved(_apply("delete", name, done=done, changes={name: "removed"}), save)


def enabled(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a beacon is enabled.

    Example::

        salt-g state.single beacon.enabled load
    """
    if name not in _beacons():
        return as_wanted(name, f"{name} not a configured beacon")
    return _switched("enable", name, True, done=f"Enabled {name} from beacons")


def disabled(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that a beacon is disabled.

    Example::

        salt-g state.single beacon.disabled load
    """
    if name not in _beacons():
        return as_wanted(name, f"Job {name} is not configured.")
    return _switched("disable", name, False, done=f"Disabled beacon {name}.")


def _beacons() -> dict[str, Any]:
    return dict(call("beacons.list", return_yaml=False) or {})


def _apply(function: str, *given: Any, done: str, changes: dict[str, Any]) -> StateReturn:
    name = given[0]
    if opts.get("test"):
        would = call(f"beacons.{function}", *given, test=True)
        return outcome(name, None if would["result"] else False, would["comment"], would.get("changes"))
    result = call(f"beacons.{function}", *given)
    if not result["result"]:
        return failed(name, result["comment"])
    return changed(name, done, result.get("changes") or changes)


def _switched(word: str, name: str, wanted: bool, *, done: str) -> StateReturn:
    config = _beacons()[name]
    parts = config if isinstance(config, list) else [config]
    said = [part["enabled"] for part in parts if isinstance(part, Mapping) and "enabled" in part]
    if (said[-1] if said else True) is wanted:
        return as_wanted(name, done)
    return _apply(f"{word}_beacon", name, done=done, changes={name: f"{word}d"})


def _saved(result: StateReturn, save: bool) -> StateReturn:
    """Save the beacons if requested and the beacon is as wanted."""
    if not save or result["result"] is False:
        return result
    name = result["name"]
    if opts.get("test"):
        said = f"Beacon {name} would be saved"
    else:
        call("beacons.save")
        said = f"Beacon {name} saved"
    result["comment"] = f"{result['comment']}\n{said}"
    return result
