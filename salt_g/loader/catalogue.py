"""List all that salt-g ships of one kind of plugin, also what this machine cannot run.

Why its own file: reference pages, counts and checks look at every plugin, while a call imports
the one that it needs. Unlike a table of functions, this asks no `__virtual__`.
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
    """One plugin: the file's name, all names that it may serve under, what it defines by public name."""

    stem: str
    names: tuple[str, ...]
    module: ModuleType
    functions: Mapping[str, Callable[..., Any]]


def offered(kind: str) -> list[CatalogueEntry]:
    """Return the plugins of a kind, sorted by file; [] for a kind that users alone bring."""
    room = KINDS[kind].room
    if room is None:
        return []
    (directory,) = importlib.import_module(room).__path__[:1]
    return [
        CatalogueEntry(entry.stem, entry.names, module, public_functions(module, is_ours=True))
        for entry in read_directory(os.fspath(directory), {}, package=room)
        for module in [importlib.import_module(f"{room}.{entry.stem}")]
    ]
