"""Stock's `salt.utils.dockermod.translate.container`: the module of the extension `dockermod`."""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """Return an attribute of the extension's module."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("saltext.dockermod.utils.dockermod.translate.container"), name)
