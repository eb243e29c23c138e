"""Parser of beacon settings, shared by all beacons.

Users write a list of mappings; some of their keys are options for the loop that runs beacons.
Shapes: `config` is the list; `_beacon_name` in it is the user's name for this beacon.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from salt_g.api import scratch

VALID = (True, "Valid beacon configuration")
#: Options of the beacon loop, common to all beacons.
_HIDDEN = frozenset(
    ("enabled", "interval", "disable_during_state_run", "beacon_module", "run_once", "_beacon_name")
)


def merged(config: Any) -> dict[str, Any]:
    """Return the settings as one mapping."""
    if isinstance(config, Mapping):
        return dict(config)
    return {key: value for part in config if isinstance(part, Mapping) for key, value in part.items()}


def own(config: Any) -> dict[str, Any]:
    """Return the settings as one mapping, without the options common to all beacons."""
    return {key: value for key, value in merged(config).items() if key not in _HIDDEN}


def must_be_list(config: Any, name: str) -> tuple[bool, str]:
    """Return whether the settings of a beacon are a list, with a message for `validate`."""
    return VALID if isinstance(config, list) else (False, f"Configuration for {name} beacon must be a list.")


def validated(config: Any, name: str, problem: Callable[[dict[str, Any]], str]) -> tuple[bool, str]:
    """Return whether the settings of a beacon are valid, with a message for `validate`.

    `problem` returns the error in the merged settings, or ''.
    """
    is_list, comment = must_be_list(config, name)
    if not is_list:
        return False, comment
    error = problem(merged(config))
    return (False, error) if error else VALID


def memory(config: Any, kind: str) -> MutableMapping[str, Any]:
    """Return the state that this beacon keeps between two rounds."""
    name = merged(config).get("_beacon_name", kind)
    remembered: MutableMapping[str, Any] = scratch.setdefault(f"beacon.{kind}.{name}", {})
    return remembered


def percent(value: Any) -> float:
    """Return a threshold such as `63%` as a number."""
    return float(str(value).replace("%", ""))
