"""Location of the running program.

The one-file program unpacks itself to a fixed location; a pip installation stays where it is.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from salt_g.process.command import is_frozen

#: Directories whose content is temporary.
_PASSING = ("/tmp/", "/var/tmp/", "/dev/shm/")
#: First bytes of the one-file program.
_LAUNCHER = b"#!/bin/sh\n# salt-g "


class Program(NamedTuple):
    """Running program.

    `script` is the called path; `tree` the directory of an unpacked program, "" for an installation by pip;
    `one_file` the file it was unpacked from, "" if unknown.
    """

    script: str
    tree: str = ""
    one_file: str = ""


def running() -> Program:
    """Return the running program."""
    called = os.path.realpath(sys.argv[0])
    if not is_frozen():
        return Program(called)
    tree = os.path.dirname(os.path.realpath(sys.executable))
    return Program(called, tree, called if _is_one_file(called) else "")


def is_temporary(program: Program) -> bool:
    """Return whether the program is removed at boot, or hidden from a service with a private /tmp."""
    return not program.tree and program.script.startswith(_PASSING)


def _is_one_file(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(_LAUNCHER)) == _LAUNCHER
    except OSError:
        return False
