"""Scope of the files that a run records: files of this machine, or of the resource that it manages.

Files that are written on this machine while states run on a resource are not recorded, unless the resource is
a directory of this machine.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from salt_g.api import CallContext
from salt_g.errors import SaltGError
from salt_g.state.undo.machine_files import ResourceFiles


class Scope(NamedTuple):
    """Files of this machine below `within` and not below `excluded`, or files of a resource (`elsewhere`).

    `problem` is the reason why changes of files are not recorded, '' if they are.
    """

    excluded: tuple[str, ...]
    within: str = "/"
    elsewhere: ResourceFiles | None = None
    problem: str = ""

    def shown(self, path: str) -> str:
        """Return a recorded path as seen inside the resource."""
        return path[len(self.within) :] if self.within != "/" and path.startswith(self.within) else path


def scope_of(context: CallContext) -> Scope:
    """Return the scope of runs in a call's context."""
    cachedir = str(context.opts["cachedir"])
    if not context.resource:
        return Scope((cachedir,))
    name = str(context.resource["type"])
    functions = context.table("resource_funcs")
    if f"{name}.undo_entries" in functions:
        return Scope(("/",), elsewhere=ResourceFiles(name, functions))
    if f"{name}.undo_root" not in functions:
        return Scope(("/",), problem=f"the resource type {name} does not record files")
    try:
        root = str(functions[f"{name}.undo_root"]())
    except SaltGError as exc:
        return Scope(("/",), problem=str(exc))
    return Scope((cachedir,), within=os.path.realpath(root))
