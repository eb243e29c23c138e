"""Where the program is now, and where it goes.

Why its own file: the one file unpacks itself to a fixed place, an installation by pip stays where it is.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from salt_g.process.command import is_frozen

#: Directories of which nothing is meant to last.
_PASSING = ("/tmp/", "/var/tmp/", "/dev/shm/")
#: How the one file begins.
_LAUNCHER = b"#!/bin/sh\n# salt-g "


class Program(NamedTuple):
    """What runs now.

    `script` is what was called; `tree` the directory of an unpacked program, "" of one that pip installed;
    `one_file` the file that it came from, "" when that is not known.
    """

    script: str
    tree: str = ""
    one_file: str = ""


def running() -> Program:
    """Return the program that runs now."""
    called = os.path.realpath(sys.argv[0])
    if not is_frozen():
        return Program(called)
    tree = os.path.dirname(os.path.realpath(sys.executable))
    return Program(called, tree, called if _is_one_file(called) else "")


def is_passing(program: Program) -> bool:
    """Return whether a boot removes the program, and a service with a /tmp of its own never sees it."""
    return not program.tree and program.script.startswith(_PASSING)


def _is_one_file(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(_LAUNCHER)) == _LAUNCHER
    except OSError:
        return False
