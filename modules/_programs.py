"""Programs run by the package, service and system modules.

They run through `cmd`, so that `runas`, time limits and environments apply, and tests can replace a program
with a recorded one.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

from salt_g.api import call
from salt_g.shapes import Completed


def run(argv: Sequence[str], **options: Any) -> Completed:
    """Run a program without a shell; `options` are those of `cmd.run_all`.

    The caller handles a return code other than 0; it is not logged as an error.
    """
    settings = {"python_shell": False, "ignore_retcode": True, "output_loglevel": "trace", **options}
    finished: Completed = call("cmd.run_all", list(argv), **settings)
    return finished


def output(argv: Sequence[str], **options: Any) -> str:
    """Return the standard output of a program."""
    return run(argv, **options)["stdout"]


def succeeds(argv: Sequence[str], **options: Any) -> bool:
    """Return whether a program exits with 0."""
    return run(argv, **options)["retcode"] == 0


def act(argv: Sequence[str], **options: Any) -> Completed:
    """Run a program that changes the system.

    A failure is logged and counts for the exit code of the call (`ignore_retcode: False` of `cmd.run_all`).
    """
    return run(argv, **{"ignore_retcode": False, **options})


def acts(argv: Sequence[str], **options: Any) -> bool:
    """Run a program that changes the system; return whether it exits with 0. A failure counts as in `act`."""
    return act(argv, **options)["retcode"] == 0


def is_installed(program: str) -> bool:
    """Return whether a program is in PATH."""
    return shutil.which(program) is not None
