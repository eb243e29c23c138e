"""Stock's `salt.utils.compat`, with functions of Python 2, and `salt.utils.value`."""

import importlib
from types import ModuleType
from typing import Any


def cmp(x: Any, y: Any) -> int:
    """Return -1, 0 or 1 if `x` is less than, equal to or greater than `y`; unequal mappings give -1."""
    if x == y:
        return 0
    if isinstance(x, dict) or isinstance(y, dict):
        return -1
    return -1 if x < y else 1


def pack_dunder(name: str) -> None:
    """Do nothing, because plugins always have `__utils__`."""


def reload(mod: ModuleType) -> ModuleType:
    """Import a module again."""
    return importlib.reload(mod)


def xor(*variables: Any) -> bool:
    """Return whether an odd number of values is true."""
    return sum(map(bool, variables)) % 2 == 1


__all__ = ["cmp", "pack_dunder", "reload", "xor"]
