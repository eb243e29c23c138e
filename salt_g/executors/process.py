"""Executor that runs a job's function in a separate process, for code that blocks, leaks or crashes.

The child gets the settings, grains and pillar of the call and itself requests files from the master;
ending the job ends the child's whole process group.
Shapes: msgpack on the child's standard input and output, see `minion/jobs/worker_process.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import current, scratch
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.process import command
from salt_g.shapes import Arguments
from salt_g.wire.packing import pack_bus, unpack

#: Python code that the child process runs.
CHILD = "from salt_g.minion.jobs.worker_process import main; main()"
#: Errors that are raised again with their own class.
_ERRORS: dict[str, type[Exception]] = {
    "CommandExecutionError": CommandExecutionError,
    "InvocationError": InvocationError,
    "TypeError": TypeError,
}


class ChildFailed(Exception):
    """Exception of the function; the text is the child's traceback."""


def execute(
    opts: Mapping[str, Any],
    data: Mapping[str, Any],
    func: Callable[..., Any],
    args: list[Any],
    kwargs: Arguments,
) -> Any:
    """Run the function in a child process and return its result."""
    context = current()
    asked = {
        "opts": dict(opts),
        "grains": dict(context.grains),
        "pillar": dict(context.pillar),
        "job": dict(context.job),
        "fun": str(data["fun"]),
        "args": args,
        "kwargs": kwargs,
    }
    finished = command.run(command.own_python(CHILD), stdin=pack_bus(asked))
    if finished.stderr:
        sys.stderr.write(finished.err)
    return _read_outcome(finished)


def _read_outcome(finished: command.Finished) -> Any:
    if not finished.stdout:
        raise CommandExecutionError(
            f"the process that ran the function exited with code {finished.retcode}: {finished.err}"
        )
    outcome = unpack(finished.stdout)
    scratch["retcode"] = outcome.get("retcode", 0)
    if "error" not in outcome:
        return outcome["return"]
    raise _ERRORS.get(outcome["error"], ChildFailed)(outcome["text"])
