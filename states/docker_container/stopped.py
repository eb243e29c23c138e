"""`docker_container.stopped` and `absent`."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._docker import is_missing
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def stopped(
    name: str | None = None,
    containers: Any = None,
    shutdown_timeout: int | None = None,
    unpause: bool = False,
    error_on_absent: bool = True,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a container (or all of `containers`) is not running.

    After `shutdown_timeout` seconds it is killed; `unpause` also stops paused ones; with `error_on_absent:
    False` a missing container is not an error.

    Example::

        salt-g state.single docker_container.stopped web
    """
    title = str(name or "")
    if not name and not containers:
        return failed(title, "One of 'name' and 'containers' must be provided")
    if containers is not None and not isinstance(containers, list):
        return failed(title, "containers must be a list")
    targets = [str(each) for each in (containers if containers is not None else [name])]
    try:
        states = {target: _state(target) for target in targets}
    except CommandExecutionError as exc:
        return failed(title, str(exc))
    problems = _problems(states, unpause, error_on_absent)
    if problems:
        return failed(title, ". ".join(problems))
    to_stop = [target for target, now in states.items() if now in ("running", "paused", "restarting")]
    if not to_stop:
        who = f"Container '{targets[0]}' is" if len(targets) == 1 else "All specified containers are"
        return as_wanted(title, f"{who} {'absent or ' if 'absent' in states.values() else ''}not running")
    if opts["test"]:
        return would_change(title, f"The following container(s) will be stopped: {', '.join(to_stop)}")
    return _stop(title, to_stop, unpause, {"timeout": shutdown_timeout} if shutdown_timeout else {})


def absent(name: str, force: bool = False) -> StateReturn:
    """Ensure that a container does not exist; a running one is removed only with `force`.

    Example::

        salt-g state.single docker_container.absent web force=True
    """
    try:
        if name not in call("docker.list_containers", all=True):
            return as_wanted(name, f"Container '{name}' does not exist")
        before = call("docker.state", name)
        if before != "stopped" and not force:
            return failed(name, "Container is running, set force to True to forcibly remove it")
        if opts["test"]:
            return would_change(name, f"Container '{name}' will be removed")
        changes = {"removed": call("docker.rm", name, force=force)}
    except CommandExecutionError as exc:
        return failed(name, f"Failed to remove container '{name}': {exc}")
    if name in call("docker.list_containers", all=True):
        return failed(name, f"Failed to remove container '{name}'", changes)
    how = "Forcibly" if force and before != "stopped" else "Successfully"
    return changed(name, f"{how} removed container '{name}'", changes)


def _state(name: str) -> str:
    try:
        return str(call("docker.state", name))
    except CommandExecutionError as exc:
        if is_missing(exc):
            return "absent"
        raise


def _problems(states: dict[str, str], unpause: bool, error_on_absent: bool) -> list[str]:
    missing = [target for target, now in states.items() if now == "absent"]
    paused = [target for target, now in states.items() if now == "paused"]
    problems = []
    if error_on_absent and missing:
        problems.append(f"The following container(s) are absent: {', '.join(missing)}")
    if not unpause and paused:
        problems.append(f"The following container(s) are paused: {', '.join(paused)}")
    return problems


def _stop(name: str, targets: list[str], unpause: bool, options: dict[str, Any]) -> StateReturn:
    changes: dict[str, Any] = {}
    errors = []
    for target in targets:
        try:
            returned = call("docker.stop", target, unpause=unpause, **options)
        except CommandExecutionError as exc:
            returned = {"result": False, "comment": str(exc)}
        if returned["result"] is True:
            changes[target] = returned
        else:
            errors.append(returned.get("comment", f"Failed to stop container '{target}'"))
    if errors:
        return failed(name, "; ".join(errors), changes)
    return changed(name, f"The following container(s) were stopped: {', '.join(targets)}", changes)
