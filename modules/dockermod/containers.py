"""Containers: creating, starting, stopping and removing them, and running commands in them.

Shapes: functions that change the state return {"state": {"old", "new"}, "result"}, with "comment" if the
state was not changed as requested.
"""

from __future__ import annotations

import time
from typing import Any

from salt_g.api import own_arguments
from salt_g.errors import CommandExecutionError
from salt_g.modules.dockermod._arguments import container_arguments
from salt_g.modules.dockermod._engine import ask, engine
from salt_g.modules.dockermod.inspection import exists, inspect_container, state

#: Arguments that are no settings of the container: `client_timeout` is used here, the others have no effect.
_IGNORED = ("skip_translate", "ignore_collisions", "validate_ip_addrs", "client_timeout", "networks")


def create(image: str, name: str | None = None, start: bool = False, **kwargs: Any) -> dict[str, Any]:
    """Create a container, and start it with `start`; return its `Id`, `Name` and `Time_Elapsed` (s).

    Further arguments are those of the Docker library (`command`, `environment`, `binds`, `port_bindings`,
    `ports`, `restart_policy`, `network_mode`, `hostname`, `user`, `labels`, …). Options of `docker run`, with
    underscores, can stand for them (`env`, `publish`, `restart`, `add_host`); `volume` is only a path in the
    container.

    Example::

        salt-g docker.create debian:12 name=web command='sleep 60' start=True
    """
    given = {key: value for key, value in own_arguments(kwargs).items() if key not in _IGNORED}
    begun = time.monotonic()
    with engine(kwargs.get("client_timeout")) as connection:
        arguments = container_arguments(given, connection._version)
        made = connection.create_container(image, name=name, **arguments)
        if start:
            connection.start(made["Id"])
    result = {"Id": made["Id"], "Name": name or inspect_container(made["Id"])["Name"].lstrip("/")}
    return {**result, "Time_Elapsed": time.monotonic() - begun, **({"Started": True} if start else {})}


def start_(name: str) -> dict[str, Any]:
    """Start a container; return {"state": {"old", "new"}, "result"}.

    Example::

        salt-g docker.start web
    """
    before = state(name)
    if before == "paused":
        return _unchanged(before, False, f"Container '{name}' is paused, cannot start")
    return _changed(name, "start", "running", before)


def stop(name: str, timeout: int | None = None, unpause: bool = False, **kwargs: Any) -> dict[str, Any]:
    """Stop a container; return {"state": {"old", "new"}, "result"}.

    A container that has not ended after `timeout` seconds is killed. `unpause` allows stopping a paused one.

    Example::

        salt-g docker.stop web timeout=20
    """
    before = state(name)
    if before == "paused":
        if not unpause:
            return _unchanged(
                before, False, f"Container '{name}' is paused, run with unpause=True to unpause"
            )
        ask("unpause", name)
    options = {} if timeout is None else {"timeout": timeout}
    return _changed(name, "stop", "stopped", before, **options)


def restart(name: str, timeout: int = 10) -> dict[str, Any]:
    """Stop a container and start it again; return {"state": {"old", "new"}, "result", "restarted"}.

    Example::

        salt-g docker.restart web
    """
    before = state(name)
    ask("restart", name, timeout=timeout)
    return {**_outcome(before, state(name), "running"), "restarted": True}


def kill(name: str) -> dict[str, Any]:
    """Kill a container's processes; return {"state": {"old", "new"}, "result"}.

    Example::

        salt-g docker.kill web
    """
    return _changed(name, "kill", "stopped", state(name))


def pause(name: str) -> dict[str, Any]:
    """Freeze a container's processes; return {"state": {"old", "new"}, "result"}.

    Example::

        salt-g docker.pause web
    """
    before = state(name)
    if before == "stopped":
        return _unchanged(before, False, f"Container '{name}' is stopped, cannot pause")
    return _changed(name, "pause", "paused", before)


def unpause(name: str) -> dict[str, Any]:
    """Resume a container's processes; return {"state": {"old", "new"}, "result"}.

    Example::

        salt-g docker.unpause web
    """
    before = state(name)
    if before == "stopped":
        return _unchanged(before, False, f"Container '{name}' is stopped, cannot unpause")
    return _changed(name, "unpause", "running", before)


def signal_(name: str, signal: Any) -> bool:
    """Send a signal to a container's first process.

    Example::

        salt-g docker.signal web SIGHUP
    """
    ask("kill", name, signal=signal)
    return True


def rename(name: str, new_name: str) -> bool:
    """Rename a container; return whether it has the new name.

    Example::

        salt-g docker.rename web old-web
    """
    ask("rename", name, new_name)
    return bool(inspect_container(new_name)["Name"].lstrip("/") == new_name)


def rm_(
    name: str,
    force: bool = False,
    volumes: bool = False,
    stop: bool = False,
    timeout: int | None = None,
    **kwargs: Any,
) -> list[str]:
    """Remove a container; return a list with its id, or [] if it still exists.

    `force` also removes a running container, `stop` stops it first (`timeout` is that of `docker.stop`).
    `volumes` also removes its anonymous volumes.

    Example::

        salt-g docker.rm web force=True
    """
    if stop and state(name) != "stopped":
        ask("stop", name, **({} if timeout is None else {"timeout": timeout}))
    if not force and state(name) not in ("stopped",):
        raise CommandExecutionError(
            f"Container '{name}' is running, use force=True to forcibly remove this container"
        )
    found = str(inspect_container(name)["Id"])
    ask("remove_container", name, force=force, v=volumes)
    return [] if exists(found) else [found]


def wait(
    name: str, ignore_already_stopped: bool = False, fail_on_exit_status: bool = False
) -> dict[str, Any]:
    """Wait until a container ends; return {"state": {"old", "new"}, "result", "exit_status"}.

    The result is False for a container that had already stopped, unless `ignore_already_stopped` is set, and
    with `fail_on_exit_status` for an exit status other than 0.

    Example::

        salt-g docker.wait web
    """
    before = state(name)
    status = ask("wait", name)["StatusCode"]
    result = {**_outcome(before, state(name), "stopped"), "exit_status": status}
    if before == "stopped" and not ignore_already_stopped:
        return {**result, "result": False, "comment": f"Container '{name}' already stopped"}
    is_good = result["result"] and (status == 0 or not fail_on_exit_status)
    return {**result, "result": is_good}


def run_all(name: str, cmd: str, **kwargs: Any) -> dict[str, Any]:
    """Run a shell command in a running container; return `retcode`, `stdout`, `stderr`.

    Example::

        salt-g docker.run_all web 'ls -l /etc'
    """
    with engine() as connection:
        made = connection.exec_create(name, ["/bin/sh", "-c", cmd], stdout=True, stderr=True)
        out, err = connection.exec_start(made["Id"], demux=True)
        code = connection.exec_inspect(made["Id"])["ExitCode"]
    texts = [(data or b"").decode("utf-8", "replace").rstrip("\n") for data in (out, err)]
    return {"retcode": code, "stdout": texts[0], "stderr": texts[1]}


def run(name: str, cmd: str, **kwargs: Any) -> str:
    """Run a shell command in a running container; return its output.

    Example::

        salt-g docker.run web 'ls -l /etc'
    """
    result = run_all(name, cmd, **kwargs)
    return "\n".join(text for text in (result["stdout"], result["stderr"]) if text)


def retcode(name: str, cmd: str, **kwargs: Any) -> int:
    """Run a shell command in a running container; return its return code.

    Example::

        salt-g docker.retcode web 'test -e /etc/hosts'
    """
    return int(run_all(name, cmd, **kwargs)["retcode"])


def _changed(name: str, method: str, wanted: str, before: str, **options: Any) -> dict[str, Any]:
    if before == wanted:
        return _unchanged(before, True, f"Container '{name}' already {wanted}")
    ask(method, name, **options)
    return _outcome(before, state(name), wanted)


def _outcome(before: str, after: str, wanted: str) -> dict[str, Any]:
    outcome: dict[str, Any] = {"result": after == wanted, "state": {"old": before, "new": after}}
    return outcome if after == wanted else {**outcome, "comment": f"Failed: the container is {after}"}


def _unchanged(now: str, result: bool, comment: str) -> dict[str, Any]:
    return {"result": result, "state": {"old": now, "new": now}, "comment": comment}
