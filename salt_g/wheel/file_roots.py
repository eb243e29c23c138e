"""Files below `file_roots`."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.wheel import _roots


def find(path: str, saltenv: str = "base") -> list[dict[str, str]]:
    """Return [{full path: 'txt' or 'bin'}] of a path in each root that has it.

    Example::

        wheel.cmd("file_roots.find", ["top.sls"])
    """
    return _roots.find(opts["file_roots"], path, saltenv)


def list_env(saltenv: str = "base") -> dict[str, Any]:
    """Return {root: tree} of an environment; a tree is {name: 'f' or a tree}.

    Example::

        wheel.cmd("file_roots.list_env", ["base"])
    """
    return _roots.tree(opts["file_roots"], saltenv)


def list_roots() -> dict[str, list[dict[str, Any]]]:
    """Return {environment: [{root: tree}]} of all environments.

    Example::

        wheel.cmd("file_roots.list_roots")
    """
    return {saltenv: [list_env(saltenv)] for saltenv in opts["file_roots"]}


def read(path: str, saltenv: str = "base") -> list[dict[str, str]]:
    """Return [{full path: text}] of a path in each root where it is a text file.

    Example::

        wheel.cmd("file_roots.read", ["top.sls"])
    """
    return _roots.read(opts["file_roots"], path, saltenv)


def write(data: str, path: str, saltenv: str = "base", index: int = 0) -> str:
    """Write a file below a root and return a message.

    path
        Relative to the root; it must not lead out of the root.

    index
        Index of the root in the environment, from 0.

    Example::

        wheel.cmd("file_roots.write", ["base: {}", "top.sls"])
    """
    return _roots.write(opts["file_roots"], data, path, saltenv, index)
