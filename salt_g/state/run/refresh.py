"""Reload of grains, pillar and plugins after a chunk that may have changed them.

Only this module replaces parts of a run's call context.
Source: stock docs "Reloading Modules"; conformance case `run/reload`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import CallContext
from salt_g.shapes import LowChunk, StateReturn
from salt_g.state.run.state_call import StateCaller

log = logging.getLogger(__name__)

#: Modules that can install dependencies of plugins; plugins are reloaded after their changes.
INSTALLERS = frozenset({"pkg", "ports", "pip"})
#: Suffixes of files that may be plugins or parts of them.
PYTHON_FILES = (".py", ".pyx", ".pyo", ".pyc", ".so")


class Refresh:
    """Reload of a run's grains, pillar and plugins; the functions that gather grains and pillar are given."""

    def __init__(
        self,
        *,
        grains: Callable[[], Mapping[str, Any]] | None = None,
        pillar: Callable[[CallContext], Mapping[str, Any]] | None = None,
    ) -> None:
        self._grains = grains
        self._pillar = pillar

    def after(self, low: LowChunk, ret: StateReturn, caller: StateCaller) -> None:
        """Reload grains, pillar and plugins as a finished chunk requests, or as its changes require."""
        parts: dict[str, Any] = {}
        if low.get("reload_grains") and self._grains is not None:
            parts["grains"] = self._grains()
        if low.get("reload_pillar") and self._pillar is not None:
            parts["pillar"] = self._pillar(caller.context)
        if parts:
            caller.context = caller.context.replace(**parts)
        if _needs_plugins(low, has_changes=bool(ret["changes"]), has_new_parts=bool(parts)):
            log.debug("%s: reloading plugins", low.get("__id__"))
            caller.context.services.plugins.reload()


def _needs_plugins(low: LowChunk, *, has_changes: bool, has_new_parts: bool) -> bool:
    if not has_changes:
        return bool(low.get("force_reload_modules"))
    return bool(low.get("reload_modules")) or has_new_parts or _may_bring_plugins(low)


def _may_bring_plugins(low: LowChunk) -> bool:
    if low["state"] != "file":
        return low["state"] in INSTALLERS
    name = str(low["name"])
    return (
        low["fun"] == "recurse"
        or (low["fun"] == "managed" and name.endswith(PYTHON_FILES))
        or (low["fun"] == "symlink" and "bin" in name)
    )
