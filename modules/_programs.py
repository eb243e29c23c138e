"""Run the programs of the package, service and system modules.

Why its own file: all of them go through `cmd`, so that `runas`, time limits and environments
work as for a user's command, and so that a test can put a recorded program in its place.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

from salt_g.api import call
from salt_g.shapes import Completed


def run(argv: Sequence[str], **options: Any) -> Completed:
    """Run a program without a shell; `options` are those of `cmd.run_all`.

    A return code other than 0 is for the caller to judge and is not logged as an error.
    """
    settings = {"python_shell": False, "ignore_retcode": True, "output_loglevel": "trace", **options}
    finished: Completed = call("cmd.run_all", list(argv), **settings)
    return finished


def output(argv: Sequence[str], **options: Any) -> str:
    """Return what a program writes to standard output."""
    return run(argv, **options)["stdout"]


def succeeds(argv: Sequence[str], **options: Any) -> bool:
    """Return whether a program ends with 0."""
    return run(argv, **options)["retcode"] == 0


def is_installed(program: str) -> bool:
    """Return whether a program is in PATH."""
    return shutil.which(program) is not None
