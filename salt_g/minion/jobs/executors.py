"""Executors, the wrappers around a job's function (`direct_call`, `splay`, `sudo`, `process`).

One rule determines which executors run, and in which order, for jobs of all origins.
Shapes: an executor is `execute(opts, data, func, args, kwargs)`; the first that returns something other than
None has run the function.
Errors: InvocationError for an unknown executor.
Source: stock docs "Executors".
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from salt_g.api import CallContext
from salt_g.errors import InvocationError
from salt_g.shapes import Opts
from salt_g.shapes.loads import JobLoad

DIRECT = "direct_call"
#: Functions that manage other jobs: they always run directly and without delay.
CONTROL = frozenset(
    f"saltutil.{name}"
    for name in (
        *("find_job", "running", "is_running", "kill_job", "term_job", "signal_job"),
        *("kill_all_jobs", "term_all_jobs", "signal_all_jobs"),
    )
)


def executors_of(opts: Opts, load: JobLoad, name: str) -> list[str]:
    """Return the executors for the function `name`, as named by the job or else by the settings."""
    if name in CONTROL:
        return [DIRECT]
    if any(fnmatch.fnmatchcase(name, glob) for glob in opts.get("process_functions") or ()):
        return ["process"]
    named = load.get("module_executors") or opts.get("module_executors") or [DIRECT]
    names = [named] if isinstance(named, str) else [str(name) for name in named]
    if opts.get("sudo_user") and "sudo" not in names:
        # The setting `sudo_user` alone makes every function run through sudo.
        names[-1:] = ["sudo"] if names[-1] == DIRECT else [names[-1], "sudo"]
    return names


def run_through(
    executors: Sequence[str],
    context: CallContext,
    load: JobLoad,
    function: Callable[..., Any],
    args: list[Any],
    kwargs: Mapping[str, Any],
) -> Any:
    """Call the function through its executors and return its value."""
    if list(executors) == [DIRECT]:
        return function(*args, **kwargs)
    table = context.table("executors")
    data = {**load, "executor_opts": load.get("executor_opts") or context.opts.get("executor_opts") or {}}
    for name in executors:
        if name == DIRECT:
            return function(*args, **kwargs)
        execute = table.get(f"{name}.execute")
        if execute is None:
            raise InvocationError(f"Executor '{name}' is not available")
        value = execute(context.opts, data, function, args, dict(kwargs))
        if value is not None:
            return value
    return None
