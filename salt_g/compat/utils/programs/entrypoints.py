"""Stock's `salt.utils.entrypoints`: entry points of installed distributions."""

import importlib.metadata
from collections.abc import Iterator
from types import SimpleNamespace


def iter_entry_points(group: str, name: str | None = None) -> Iterator[importlib.metadata.EntryPoint]:
    """Yield the entry points of a group, optionally only those with one name."""
    found = importlib.metadata.entry_points(group=group)
    yield from (point for point in found if name in (None, point.name))


def name_and_version_from_entry_point(entry_point: importlib.metadata.EntryPoint) -> SimpleNamespace:
    """Return `name` and `version` of the distribution of an entry point."""
    distribution = entry_point.dist
    if distribution is None:
        return SimpleNamespace(name=entry_point.name, version="")
    return SimpleNamespace(name=distribution.metadata["Name"], version=distribution.version)


__all__ = ["iter_entry_points", "name_and_version_from_entry_point"]
