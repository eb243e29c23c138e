"""`docker_container.run`: containers that run until they exit, like commands of `cmd.run`."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts, own_arguments
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome
from salt_g.states.docker_container.running import image_id, parse_networks

_UNSUPPORTED = ("watch_action", "start", "shutdown_timeout", "follow")


def run(
    name: str,
    image: Any = None,
    bg: bool = False,
    failhard: bool = True,
    replace: bool = False,
    force: bool = False,
    skip_translate: Any = None,
    ignore_collisions: bool = False,
    validate_ip_addrs: bool = True,
    client_timeout: float | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Run a container each time; report its output and exit code as changes.

    bg
        Do not wait until the container exits.
    failhard
        Fail if the exit code is not 0.
    replace, force
        Remove a container of this name first, with `force` even if it is running.

    The other arguments are those of `docker_container.running`; `auto_remove` (or `rm`) removes the
    container when it exits. As with `cmd.run`, use `onlyif`, `unless` and requisites to decide when it runs.

    Example::

        salt-g state.single docker_container.run nap image=debian:12 command='sleep 5' replace=True
    """
    arguments = own_arguments(kwargs)
    unsupported = next((key for key in _UNSUPPORTED if key in arguments), None)
    if unsupported:
        return failed(name, f"The '{unsupported}' argument is not supported")
    if image is None:
        return failed(name, "The 'image' argument is required")
    removes = not bg and any(arguments.pop(key, False) for key in ("auto_remove", "rm"))
    try:
        arguments["networks"] = parse_networks(arguments.get("networks"))
        image_id(str(image), client_timeout)
        if opts["test"]:
            return outcome(name, None, f"Container would be run{' in the background' if bg else ''}")
        own = {"bg": bg, "replace": replace, "force": force, "client_timeout": client_timeout}
        made = call("docker.run_container", str(image), name=name, **own, **arguments)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, f"Encountered error running container: {exc}")
    if bg:
        return outcome(name, True, "Container was run in the background", made)
    returned = _ended(name, made, failhard)
    return _removed(returned, made["Id"]) if removes else returned


def _ended(name: str, made: dict[str, Any], failhard: bool) -> StateReturn:
    if "ExitCode" not in made:
        return outcome(name, True, "", made)
    code = made["ExitCode"]
    comment = f"Container ran and exited with a return code of {code}"
    return outcome(name, code == 0 or not failhard, comment, made)


def _removed(returned: StateReturn, container: str) -> StateReturn:
    """Remove the container after its exit code is known, instead of letting the engine remove it earlier."""
    try:
        call("docker.rm", container)
    except CommandExecutionError as exc:
        return {**returned, "warnings": [f"Failed to auto_remove container: {exc}"]}
    return returned
