"""Holding and unholding of packages by `pkg.installed`."""

from __future__ import annotations

import dataclasses
from typing import Any

from salt_g.api import call, functions
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states.pkg._plan import PlanRefused


@dataclasses.dataclass
class Holding:
    """Results of holding or unholding, one per package, grouped by outcome."""

    changed: list[StateReturn] = dataclasses.field(default_factory=list)
    as_wanted: list[StateReturn] = dataclasses.field(default_factory=list)
    failed: list[StateReturn] = dataclasses.field(default_factory=list)


def set_hold(name: str, pkgs: Any, sources: Any, hold: bool | None) -> Holding:
    """Hold (`hold` True) or unhold (False) packages; None changes nothing. Raises PlanRefused."""
    if hold is None or "pkg.hold" not in functions:
        return Holding()
    try:
        returned = call("pkg.hold" if hold else "pkg.unhold", name=name, pkgs=pkgs, sources=sources)
    except (CommandExecutionError, InvocationError) as exc:
        raise PlanRefused(str(exc)) from exc
    if "result" in returned and not returned["result"]:
        raise PlanRefused(
            f"An error was encountered while holding/unholding package(s): {returned['comment']}"
        )
    return Holding(
        changed=[each for each in returned.values() if each["changes"]],
        as_wanted=[each for each in returned.values() if not each["changes"] and each["result"]],
        failed=[each for each in returned.values() if not each["result"]],
    )


def add_to_changes(changes: dict[str, Any], held: list[StateReturn]) -> None:
    """Merge the changes made by holding into the changes of the installation."""
    for each in held:
        known = changes.setdefault(each["name"], {})
        for key in ("new", "old") if known else ("new",):
            before = known.get(key, "")
            known[key] = f"{before}\n{each['changes'][key]}" if before else str(each["changes"][key])
