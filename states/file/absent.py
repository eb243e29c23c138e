"""States of the existence of paths: absent, exists, missing."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.file.checks import path_problem


def absent(name: str, **kwargs: Any) -> StateReturn:
    """Ensure that no file, link or directory exists at a path.

    Example::

        /etc/motd.old:
          file.absent
    """
    name = os.path.expanduser(name)
    if problem := path_problem(name, "absent"):
        return failed(name, problem)
    if name == "/":
        return failed(name, 'Refusing to make "/" absent')
    if not os.path.lexists(name):
        return as_wanted(name, f"File {name} is not present")
    kind = "directory" if os.path.isdir(name) and not os.path.islink(name) else "file"
    if opts["test"]:
        return would_change(name, f"{kind.title()} {name} is set for removal", {"removed": name})
    try:
        call("file.remove", name, force=True)
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    return changed(name, f"Removed {kind} {name}", {"removed": name})


def exists(name: str, **kwargs: Any) -> StateReturn:
    """Verify that a path exists; never create it.

    Example::

        /etc/app.conf:
          file.exists
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.exists")
    if not os.path.exists(name):
        return failed(name, f"Specified path {name} does not exist")
    return as_wanted(name, f"Path {name} exists")


def missing(name: str, **kwargs: Any) -> StateReturn:
    """Verify that a path does not exist; never remove it.

    Example::

        /etc/nologin:
          file.missing
    """
    name = os.path.expanduser(name)
    if not name:
        return failed(name, "Must provide name to file.missing")
    if os.path.exists(name):
        return failed(name, f"Specified path {name} exists")
    return as_wanted(name, f"Path {name} is missing")
