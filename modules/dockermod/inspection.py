"""Containers and the engine: state, configuration, logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules.dockermod._engine import ask


def version() -> dict[str, Any]:
    """Return the versions of the engine; `VersionInfo` and `ApiVersionInfo` as lists of numbers.

    Example::

        salt-g docker.version
    """
    answer: dict[str, Any] = dict(ask("version"))
    for key in ("Version", "ApiVersion"):
        parts = str(answer.get(key, "")).partition("-")[0].split(".")
        answer[f"{key}Info"] = [int(part) for part in parts if part.isdigit()]
    return answer


def info() -> dict[str, Any]:
    """Return information about the engine and its machine.

    Example::

        salt-g docker.info
    """
    return dict(ask("info"))


def ps_(filters: Any = None, **kwargs: Any) -> dict[str, dict[str, Any]]:
    """Return {id: container} of running containers, or with `all` of all containers, restricted by `filters`.

    Example::

        salt-g docker.ps all=True
    """
    found = ask("containers", all=bool(kwargs.get("all")), filters=filters)
    return {each["Id"]: {key: value for key, value in each.items() if key != "Id"} for each in found}


def list_containers(**kwargs: Any) -> list[str]:
    """Return the names of running containers, or with `all` of all containers.

    Example::

        salt-g docker.list_containers all=True
    """
    names = (name for each in ps_(**kwargs).values() for name in each.get("Names") or [])
    # A link from another container is listed as `/other/name`.
    return sorted({name.lstrip("/") for name in names if "/" not in name.lstrip("/")})


def inspect_container(name: str) -> dict[str, Any]:
    """Return all details of a container.

    Example::

        salt-g docker.inspect_container web
    """
    return dict(ask("inspect_container", name))


def inspect(name: str) -> dict[str, Any]:
    """Return all details of the first container, image, volume or network of this name.

    Example::

        salt-g docker.inspect web
    """
    for kind in ("container", "image", "volume", "network"):
        try:
            return dict(ask(f"inspect_{kind}", name))
        except CommandExecutionError as exc:
            if not str(exc).startswith("Error 404"):
                raise
    raise CommandExecutionError(f"Error 404: No such image/container/volume/network: {name}")


def exists(name: str) -> bool:
    """Return whether a container of this name exists.

    Example::

        salt-g docker.exists web
    """
    try:
        inspect_container(name)
    except CommandExecutionError as exc:
        if str(exc).startswith("Error 404"):
            return False
        raise
    return True


def state(name: str) -> str:
    """Return `running`, `paused`, `restarting` or `stopped`.

    Example::

        salt-g docker.state web
    """
    now: Mapping[str, Any] = inspect_container(name).get("State", {})
    return next((word.lower() for word in ("Paused", "Restarting", "Running") if now.get(word)), "stopped")


def pid(name: str) -> int:
    """Return the process id of a container's first process, or 0 if the container is not running.

    Example::

        salt-g docker.pid web
    """
    return int(inspect_container(name)["State"]["Pid"])


def port(name: str, private_port: Any = None) -> dict[str, Any]:
    """Return {"80/tcp": [host binding, ...]} of a container, or only of `private_port` (`80`, `53/udp`).

    Example::

        salt-g docker.port web 80
    """
    found: dict[str, Any] = inspect_container(name).get("NetworkSettings", {}).get("Ports") or {}
    if private_port is None:
        return found
    key = str(private_port) if "/" in str(private_port) else f"{private_port}/tcp"
    return {key: found.get(key)}


def logs(name: str, **kwargs: Any) -> str:
    """Return the output of a container; `stdout`, `stderr`, `timestamps`, `tail`, `since`, `until` filter it.

    Example::

        salt-g docker.logs web tail=10
    """
    words = ("stdout", "stderr", "timestamps", "tail", "since", "until")
    options = {key: kwargs[key] for key in words if key in kwargs}
    return bytes(ask("logs", name, stream=False, **options)).decode("utf-8", "replace")


def top(name: str) -> list[dict[str, str]]:
    """Return the processes of a container as [{column: value}, ...].

    Example::

        salt-g docker.top web
    """
    answer = ask("top", name)
    return [dict(zip(answer["Titles"], row, strict=False)) for row in answer["Processes"] or []]


def diff(name: str) -> dict[str, list[str]]:
    """Return {"Changed" | "Added" | "Deleted": [path, ...]} of a container's files.

    Example::

        salt-g docker.diff web
    """
    kinds = ("Changed", "Added", "Deleted")
    found: dict[str, list[str]] = {}
    for each in ask("diff", name) or []:
        found.setdefault(kinds[each["Kind"]], []).append(each["Path"])
    return found
