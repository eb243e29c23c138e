"""Stock's `salt.utils.environment`: the variables that `system-environment` sets for a module's programs."""

import os
from collections.abc import Mapping
from typing import Any


def get_module_environment(
    env: Mapping[str, Any] | None = None, function: str | None = None
) -> dict[str, Any]:
    """Return the environment variables for a module, whose `globals()` are `env`, and one of its functions.

    The source is `system-environment: modules: MODULE: {_: for all functions, FUNCTION: for one}` in the
    settings, grains and pillar, where later ones win; MODULE is the name of the file or the virtual name.
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
