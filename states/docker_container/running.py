"""`docker_container.running`: a running container, created from the arguments.

The interpretation of the arguments is left to the engine: a second container is created from them, not
started, and compared with the first. It replaces the first if they differ and is removed if not.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from salt_g.api import call, opts, own_arguments
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._docker import is_missing
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, failed, outcome, would_change
from salt_g.states.docker_container.stopped import stopped


@dataclasses.dataclass
class _Run:
    """One run of the state: arguments, existing container and changes so far."""

    name: str
    image: str
    image_id: str
    before: dict[str, Any] | None
    networks: dict[str, dict[str, Any]]
    options: dict[str, Any]
    changes: dict[str, Any] = dataclasses.field(default_factory=dict)
    comments: list[str] = dataclasses.field(default_factory=list)

    @property
    def has_other_image(self) -> bool:
        """Return whether the existing container was created from another image."""
        return self.before is not None and self.before.get("Image") != self.image_id

    def state_return(self, result: bool | None) -> StateReturn:
        """Return the outcome so far."""
        return outcome(self.name, result, ". ".join(self.comments), self.changes)


@takes_any
def running(
    name: str,
    image: Any = None,
    skip_translate: Any = None,
    ignore_collisions: bool = False,
    validate_ip_addrs: bool = True,
    force: bool = False,
    watch_action: Any = "force",
    start: bool = True,
    shutdown_timeout: int | None = None,
    client_timeout: float | None = None,
    networks: Any = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a container was created from `image` with these arguments and, with `start`, runs.

    The arguments are those of `docker.create`; `networks` is a list of names, or of mappings of a name
    to settings (`ipv4_address`, `aliases`, …). `force` always recreates the container; `watch_action` is
    `force` or the signal to send when a watched state changes; `shutdown_timeout` and `client_timeout` are in
    seconds.

    Example::

        salt-g state.single docker_container.running web image=nginx:1.25 port_bindings=8080:80
    """
    if image is None:
        return failed(name, "The 'image' argument is required")
    arguments = own_arguments(kwargs)
    send_signal = arguments.pop("send_signal", False)
    try:
        run = _Run(name, str(image), image_id(str(image), client_timeout), _inspected(name), {}, arguments)
        run.networks = parse_networks(networks)
        is_new = force or run.before is None or run.has_other_image
        if is_new and opts["test"]:
            return _would_make(run, force)
        signal = watch_action if send_signal else None
        return _reach(run, is_new, start=start, shutdown_timeout=shutdown_timeout, signal=signal)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))


def mod_watch(name: str, sfun: str | None = None, **kwargs: Any) -> StateReturn:
    """Recreate a container, or send it a signal, because a watched state has changed.

    Example::

        salt-g state.single docker_container.mod_watch web sfun=running image=nginx
    """
    if sfun == "running":
        is_forced = kwargs.get("watch_action", "force") == "force"
        return running(name, **{**kwargs, "force": is_forced, "send_signal": not is_forced})
    if sfun == "stopped":
        return stopped(name, **own_arguments(kwargs))
    return failed(name, f"watch requisite is not implemented for {sfun}")


def image_id(image: str, client_timeout: float | None) -> str:
    """Return the id of an image; pull it if it is missing, in test mode return its name instead."""
    found = call("docker.resolve_image_id", image)
    if not found and not opts["test"]:
        call("docker.pull", image, client_timeout=client_timeout)
        found = call("docker.resolve_image_id", image)
        if not found:
            raise CommandExecutionError(f"Image '{image}' not present and could not be pulled")
    return str(found or image)


def _inspected(name: str) -> dict[str, Any] | None:
    try:
        about: dict[str, Any] = call("docker.inspect_container", name)
    except CommandExecutionError as exc:
        if is_missing(exc):
            return None
        raise
    return about


def parse_networks(networks: Any) -> dict[str, dict[str, Any]]:
    """Return {network: arguments} for a list whose items are names or {name: list of mappings}."""
    found: dict[str, dict[str, Any]] = {}
    for item in networks or []:
        pairs = item.items() if isinstance(item, dict) else [(str(item), [])]
        for network, settings in pairs:
            parts = settings if isinstance(settings, list) else [settings or {}]
            found[network] = {key: value for part in parts for key, value in part.items()}
    return found


def _would_make(run: _Run, force: bool) -> StateReturn:
    if force:
        run.changes["forced_update"] = True
    elif run.before is None or run.has_other_image:
        run.changes["image"] = {"old": run.before and run.before.get("Image"), "new": run.image_id}
    verb = "created" if run.before is None else "replaced"
    return would_change(run.name, f"Container '{run.name}' would be {verb}", run.changes)


def _reach(run: _Run, is_new: bool, *, start: bool, shutdown_timeout: int | None, signal: Any) -> StateReturn:
    if run.before is None:
        made = call("docker.create", run.image, name=run.name, **run.options)
        _connect(run, made["Name"])
        run.comments.append(f"Created container '{run.name}'")
        run.changes["container_id"] = {"added": made["Id"]}
        return _start(run, None, start, start)
    state_before = call("docker.state", run.name)
    differing = _replace_where_different(run, is_new, shutdown_timeout)
    if differing and opts["test"]:
        run.comments.append(f"Container '{run.name}' would be replaced")
        return run.state_return(None)
    if is_new or differing:
        return _start(run, state_before, start, start)
    if signal is None:
        run.comments.append(f"Container '{run.name}' is already configured as specified")
    else:
        _send(run, signal)
    return _start(run, state_before, start and state_before != "running", start)


def _connect(run: _Run, container: str) -> None:
    for network, settings in run.networks.items():
        call("docker.connect_container_to_network", container, network, **settings)


def _replace_where_different(run: _Run, is_new: bool, shutdown_timeout: int | None) -> dict[str, Any]:
    """Create a second container and replace the first with it if they differ; return the differences.

    With `is_new` it replaces the first without a comparison; in test mode it never does.
    """
    made = call("docker.create", run.image, name=None, **run.options)
    is_left = True
    try:
        _connect(run, made["Name"])
        differing = {} if is_new else _differences(run, made["Name"])
        if differing:
            run.changes["container"] = differing
        if is_new or (differing and not opts["test"]):
            _replace(run, made, shutdown_timeout)
            is_left = False
    finally:
        # The second container is needed only if it replaced the first.
        if is_left:
            call("docker.rm", made["Name"])
    return differing


def _differences(run: _Run, other: str) -> dict[str, Any]:
    found: dict[str, Any] = call("docker.compare_containers", run.name, other, ignore="Hostname")
    if run.networks:
        networks = call("docker.compare_container_networks", run.name, other)
        found = {**found, **({"Networks": networks} if networks else {})}
    return found


def _replace(run: _Run, made: dict[str, Any], shutdown_timeout: int | None) -> None:
    removed = call("docker.rm", run.name, stop=True, timeout=shutdown_timeout)
    run.changes["container_id"] = {"removed": removed, "added": made["Id"]}
    call("docker.rename", made["Name"], run.name)
    run.comments.append(f"Replaced container '{run.name}'")
    if run.has_other_image:
        old = run.before["Image"] if run.before else None
        run.changes["image"] = {"old": old, "new": run.image_id}


def _send(run: _Run, signal: Any) -> None:
    if opts["test"]:
        run.comments.append(f"Signal {signal} would be sent to container")
        return
    call("docker.signal", run.name, signal=signal)
    run.changes["signal"] = signal
    run.comments.append(f"Sent signal {signal} to container")


def _start(run: _Run, before: str | None, is_due: bool, start: bool) -> StateReturn:
    if is_due and opts["test"]:
        run.comments.append("Container would be started")
        return run.state_return(None)
    if is_due:
        call("docker.start", run.name)
    after = call("docker.state", run.name)
    if before != after:
        run.changes["state"] = {"old": before, "new": after}
        if before is not None:
            run.comments.append(f"State changed from '{before}' to '{after}'")
    if run.has_other_image:
        run.comments.append("Container has a new image")
    if start and after != "running":
        run.comments.append("Container is not running")
        return run.state_return(False)
    return run.state_return(True) if run.changes else as_wanted(run.name, ". ".join(run.comments))
