"""Locations of pillar keys in the files of pillar, without the values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.language_server.cursor import key_lines
from salt_g.language_server.project import Project
from salt_g.lint.positions import line_with, lines_of


def pillar_places(project: Project, path: Sequence[str]) -> list[tuple[str, int]]:
    """Return path and line (from 1; 0 if unknown) of each file that sets a key, the effective one last."""
    found = []
    for file, data in project.lint.context.pillar_files():
        if _has(data, path):
            line = key_lines(lines_of(file), path) or line_with(file, f"{path[-1]}:")[0]
            found.append((project.saved_path(file), line))
    return found


def _has(data: Any, path: Sequence[str]) -> bool:
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[key]
    return True
