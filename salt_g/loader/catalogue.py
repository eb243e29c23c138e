"""Catalogue of all built-in plugins of one kind, including those unavailable on this machine.

Reference pages, counts and checks look at every plugin. Unlike a table of functions, this does not call
`__virtual__`.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from salt_g.loader.index import read_directory
from salt_g.loader.kinds import KINDS
from salt_g.loader.plugin import public_functions


class CatalogueEntry(NamedTuple):
    """One plugin: its file, the names it may serve under, and its definitions by public name."""

    stem: str
    names: tuple[str, ...]
    module: ModuleType
    functions: Mapping[str, Callable[..., Any]]


def builtin_plugins(kind: str) -> list[CatalogueEntry]:
    """Return the built-in plugins of a kind, sorted by file; [] for a kind that has only users' plugins."""
    room = KINDS[kind].room
    if room is None:
        return []
    (directory,) = importlib.import_module(room).__path__[:1]
    return [
        CatalogueEntry(entry.stem, entry.names, module, public_functions(module, is_ours=True))
        for entry in read_directory(os.fspath(directory), {}, package=room)
        for module in [importlib.import_module(f"{room}.{entry.stem}")]
    ]
