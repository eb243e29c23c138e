"""Files below the roots of an environment: find, list, read and write.

Shared by `file_roots` and `pillar_roots`.
Shapes: roots are {environment: [directory, ...]}; a tree is {name: 'f' or a tree}.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.data.text_diff import is_text
from salt_g.data.text_encoding import file_encoding
from salt_g.process import disk

#: Mode of a new file, which the file server serves to minions anyway.
_FILE_MODE = 0o644

Roots = Mapping[str, Sequence[str]]


def find(roots: Roots, path: str, saltenv: str) -> list[dict[str, str]]:
    """Return [{full path: 'txt' or 'bin'}] of a path in each root that has it."""
    inside = (beneath(root, path) for root in roots.get(saltenv, ()))
    return [{full: "txt" if is_text(full) else "bin"} for full in inside if full and os.path.isfile(full)]


def read(roots: Roots, path: str, saltenv: str) -> list[dict[str, str]]:
    """Return [{full path: text}] of a path in each root where it is a text file."""
    texts = []
    for found in find(roots, path, saltenv):
        for full, form in found.items():
            if form == "txt":
                with open(full, encoding=file_encoding(full)) as file:
                    texts.append({full: file.read()})
    return texts


def tree(roots: Roots, saltenv: str) -> dict[str, Any]:
    """Return {root: tree} of an environment."""
    return {root: _tree(root) for root in roots.get(saltenv, ())}


def write(roots: Roots, data: str, path: str, saltenv: str, index: int) -> str:
    """Write a file below one root; return stock's message."""
    if saltenv not in roots:
        return f"Named environment {saltenv} is not present"
    if len(roots[saltenv]) <= index:
        return f"Specified index {index} in environment {saltenv} is not present"
    if os.path.isabs(path):
        return f"The path passed in {path} is not relative to the environment {saltenv}"
    full = beneath(roots[saltenv][index], path)
    if not full:
        return f"Invalid path: {path}"
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with disk.replacing(full, new_mode=_FILE_MODE) as file:
        file.write(data.encode())
    return f"Wrote data to file {full}"


def beneath(root: str, path: str) -> str:
    """Return the full path of `path` below `root`, or '' when it escapes, also through links."""
    if "\0" in path:
        return ""
    full = os.path.normpath(os.path.join(root, path))
    real_root, real = os.path.realpath(root), os.path.realpath(full)
    if real == real_root or not real.startswith(real_root.rstrip("/") + "/"):
        return ""
    return full


def _tree(directory: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return names
    for entry in entries:
        names[entry.name] = _tree(entry.path) if entry.is_dir(follow_symlinks=False) else "f"
    return names
