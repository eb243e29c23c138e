"""Stock's `salt.utils.environment`: variables that `system-environment` sets for the programs of a module."""

import os
from collections.abc import Mapping
from typing import Any


def get_module_environment(
    env: Mapping[str, Any] | None = None, function: str | None = None
) -> dict[str, Any]:
    """Return the variables for a module, whose `globals()` are `env`, and one of its functions.

    From `system-environment: modules: MODULE: {_: for all functions, FUNCTION: for one}` in settings, grains
    or pillar, the later ones win; MODULE is the file's name or the virtual one.
    """
    found: dict[str, Any] = {}
    module = env or {}
    name = os.path.splitext(os.path.basename(str(module.get("__file__", ""))))[0]
    room = os.path.basename(os.path.dirname(str(module.get("__file__", "")))) or "modules"
    for source in ("__opts__", "__grains__", "__pillar__"):
        settings = (module.get(source) or {}).get("system-environment") or {}
        for each in (name, module.get("__virtualname__", name)):
            declared = (settings.get(room) or {}).get(each) or {}
            for part in ("_", function):
                found.update(declared.get(part) or {} if part else {})
    return found


__all__ = ["get_module_environment"]
