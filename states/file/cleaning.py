"""Paths of a directory that required states do not manage (`clean: True`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from salt_g import safe_files
from salt_g.api import call, current, scratch
from salt_g.data.path_patterns import Patterns, is_included
from salt_g.errors import CommandExecutionError
from salt_g.shapes import LowTag

_RECURSED = "file.recurse keeps"


def remember_kept(directory: str, kept: set[str]) -> None:
    """Record the paths that a `recurse` state keeps, for directories that require it."""
    scratch[_RECURSED] = {**scratch.get(_RECURSED, {}), directory: kept}


def kept_paths(directory: str, require: Any) -> set[str]:
    """Return the paths managed by file states in `require`, with the contents of managed directories.

    Required states have run before, so their names and functions are in the running dict.
    """
    wanted = {item["file"] for item in require or () if isinstance(item, dict) and "file" in item}
    kept: set[str] = set()
    for tag in current().running if wanted else ():
        chunk = LowTag.parse(tag)
        if not wanted & {chunk.id, chunk.name}:
            continue
        if not os.path.isdir(chunk.name):
            kept.add(chunk.name)
        elif _is_below(chunk.name, directory):
            kept |= _kept_by(chunk.name, chunk.fun)
    return kept


def strays(directory: str, kept: set[str], exclude_pat: Patterns) -> list[str]:
    """Return the paths below a directory, top down, except kept ones, their parents and excluded ones."""
    spared = {os.path.normpath(path) for path in kept if os.path.isabs(path)}
    for path in list(spared):
        while (path := os.path.dirname(path)) not in spared:
            spared.add(path)
    return [
        path
        for path in _everything_below(directory)
        if path not in spared and is_included(os.path.relpath(path, directory), exclude=exclude_pat)
    ]


def remove_strays(found: list[str]) -> tuple[list[str], dict[str, str]]:
    """Remove paths; return (removed paths, {path: error}).

    Paths removed along with their directory are in neither.
    """
    removed, problems = [], {}
    for path in found:
        if os.path.lexists(path):
            try:
                call("file.remove", path)
                removed.append(path)
            except CommandExecutionError as exc:
                problems[path] = str(exc)
    return removed, problems


def _kept_by(name: str, function: str) -> set[str]:
    if function == "recurse":
        remembered: set[str] = scratch.get(_RECURSED, {}).get(name, set())
        return remembered
    return {name, *_everything_below(name)}


def _everything_below(directory: str) -> Iterator[str]:
    for folder, folders, names in safe_files.walk(directory):
        yield from (os.path.join(folder, name) for name in folders + names)


def _is_below(path: str, directory: str) -> bool:
    return not os.path.relpath(os.path.abspath(path), os.path.abspath(directory)).startswith(os.pardir)
