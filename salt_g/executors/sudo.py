"""Executor that runs a job's function through sudo, as the user in the setting `sudo_user`.

A second `salt-g call` runs it; this minion needs no rights except the sudo rule.
Source: stock docs "sudo executor".
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import scratch
from salt_g.errors import CommandExecutionError
from salt_g.process import command
from salt_g.shapes import Arguments

#: Functions of state runs, which would otherwise wait for the run that the minion registered for this job.
_STATE_RUNS = ("state.sls", "state.highstate", "state.apply")


def __virtual__() -> bool | tuple[bool, str]:
    """Return whether sudo is installed."""
    if command.which("sudo"):
        return True
    return False, "the program sudo is not installed"


def execute(
    opts: Mapping[str, Any],
    data: Mapping[str, Any],
    func: Callable[..., Any],
    args: list[Any],
    kwargs: Arguments,
) -> Any:
    """Run the function as `sudo_user` and return its result."""
    user = str(opts.get("sudo_user") or "")
    if not user:
        raise CommandExecutionError("the executor sudo needs the setting sudo_user")
    finished = command.run(command_line(opts, data, args, kwargs, user=user))
    if finished.retcode and not finished.stdout.strip():
        scratch["retcode"] = finished.retcode
        return finished.err
    answer = _read_return(finished)
    scratch["retcode"] = answer.get("retcode", 0)
    return answer.get("return")


def command_line(
    opts: Mapping[str, Any],
    data: Mapping[str, Any],
    args: list[Any],
    kwargs: Mapping[str, Any],
    *,
    user: str,
) -> list[str]:
    """Return the command line that runs the function through sudo."""
    own = {name: value for name, value in kwargs.items() if not name.startswith("__pub_")}
    if data["fun"] in _STATE_RUNS:
        own["concurrent"] = True
    directory = os.path.dirname(str(opts["conf_file"]))
    program = [*command.own_python("from salt_g.cli import main; main()"), "call"]
    options = ["--out=json", "--metadata", "-c", directory, "--"]
    words = [_word(arg) for arg in args] + [f"{name}={_word(value)}" for name, value in own.items()]
    return ["sudo", "-n", "-u", user, "--", *program, *options, str(data["fun"]), *words]


def _word(value: Any) -> str:
    """Return a value as an argument of the command line, which parses it as YAML, a superset of JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _read_return(finished: command.Finished) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = json.loads(finished.out)["local"]
    except (ValueError, KeyError, TypeError) as exc:
        raise CommandExecutionError(f"sudo: no return received: {finished.err or finished.out}") from exc
    return answer
