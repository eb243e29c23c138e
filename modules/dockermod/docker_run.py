"""Containers run to completion, as `docker run` does."""

from __future__ import annotations

import time
from typing import Any

from salt_g.api import own_arguments
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.dockermod._engine import ask, engine
from salt_g.modules.dockermod.containers import create, rm_
from salt_g.modules.dockermod.images import pull, resolve_image_id
from salt_g.modules.dockermod.inspection import exists, state
from salt_g.modules.dockermod.networks import connect_container_to_network


def run_container(
    image: str,
    name: str | None = None,
    bg: bool = False,
    replace: bool = False,
    force: bool = False,
    networks: Any = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Create a container and run it to completion; return its `Id`, `Name`, `Logs` and `ExitCode`.

    bg
        Do not wait for the end; logs and exit code are then missing.
    replace, force
        `replace` removes a container of this name first, together with `force` also a running one.
    networks
        Names (`a,b`), or {name: arguments of `docker.connect_container_to_network`}.

    The other arguments are those of `docker.create`.

    Example::

        salt-g docker.run_container debian:12 command='sleep 5' name=nap replace=True
    """
    if not resolve_image_id(image):
        pull(image, client_timeout=kwargs.get("client_timeout"))
    gone = _remove_existing(name, replace, force)
    begun = time.monotonic()
    made = create(image, name=name, **kwargs)
    result = {**made, **({"Replaces": gone} if gone else {})}
    for network, settings in _networks(networks).items():
        connect_container_to_network(made["Id"], network, **settings)
    ask("start", made["Id"])
    if not bg:
        result |= _run_to_the_end(made["Id"], own_arguments(kwargs))
    return {**result, "Time_Elapsed": time.monotonic() - begun}


def _remove_existing(name: str | None, replace: bool, force: bool) -> list[str]:
    """Remove the container with the same name and return the removed ids; raise if that is not allowed."""
    if name is None or not exists(name):
        return []
    if state(name) == "running" and not (replace and force):
        raise CommandExecutionError(
            f"Container '{name}' exists and is running. Run with replace=True and force=True to force "
            "removal of the existing container."
        )
    if not replace:
        raise CommandExecutionError(
            f"Container '{name}' exists. Run with replace=True to remove the existing container"
        )
    return rm_(name, force=force)


def _networks(networks: Any) -> dict[str, dict[str, Any]]:
    if isinstance(networks, str):
        return {network: {} for network in networks.split(",")}
    if networks and not (
        isinstance(networks, dict) and all(isinstance(settings, dict) for settings in networks.values())
    ):
        raise InvocationError("Invalid format for networks argument")
    return networks or {}


def _run_to_the_end(container: str, options: dict[str, Any]) -> dict[str, Any]:
    """Wait for a container; one that is auto-removed at its end has no exit code."""
    removes_itself = options.get("auto_remove") or options.get("rm")
    with engine(options.get("client_timeout")) as connection:
        pieces = connection.logs(container, stream=True, follow=True, timestamps=False)
        logs = b"".join(pieces).decode("utf-8", "replace")
    if removes_itself:
        return {"Logs": logs}
    # The logs may end a moment before the container does.
    return {"Logs": logs, "ExitCode": ask("wait", container)["StatusCode"]}
