"""Docker networks."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts, own_arguments
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._docker import is_missing, offered
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, changed, failed, would_change

#: {argument: key in the inspection of a network}
_COMPARED = {
    "driver": "Driver",
    "internal": "Internal",
    "attachable": "Attachable",
    "enable_ipv6": "EnableIPv6",
    "labels": "Labels",
    "driver_opts": "Options",
}


def __virtual__() -> bool | tuple[bool, str]:
    return offered()


@takes_any
def present(
    name: str,
    skip_translate: Any = None,
    ignore_collisions: bool = False,
    validate_ip_addrs: bool = True,
    containers: Any = None,
    reconnect: bool = True,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a network exists with these settings, and that `containers` are connected to it.

    The arguments are those of `docker.create_network` (`driver`, `subnet`, `gateway`, `internal`,
    `labels`, …). A network that differs is recreated; `reconnect` reconnects its containers.

    Example::

        salt-g state.single docker_network.present front subnet=192.168.50.0/24
    """
    wanted = own_arguments(kwargs)
    try:
        before = _found(name)
        differing = _differences(before, wanted) if before else {}
        there = list(call("docker.connected", name)) if before else []
        missing = [each for each in containers or [] if differing or each not in there]
        if before and not differing and not missing:
            return as_wanted(name, f"Network '{name}' already exists, and is configured as specified")
        changes = differing if before else {"created": True}
        changes = {**changes, **({"connected": missing} if missing else {})}
        if opts["test"]:
            verb = "updated" if before else "created"
            return would_change(name, f"Network '{name}' will be {verb}", changes)
        return _reach(name, wanted, before, differing, missing, there if reconnect else [], changes)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, f"Failed to create network '{name}': {exc}")


def absent(name: str) -> StateReturn:
    """Ensure that a network does not exist; connected containers are disconnected first.

    Example::

        salt-g state.single docker_network.absent front
    """
    try:
        if not _found(name):
            return as_wanted(name, f"Network '{name}' already absent")
        if opts["test"]:
            return would_change(name, f"Network '{name}' will be removed")
        gone = call("docker.disconnect_all_containers_from_network", name)
        call("docker.remove_network", name)
    except CommandExecutionError as exc:
        return failed(name, f"Failed to remove network '{name}': {exc}")
    changes = {"removed": True, **({"disconnected": gone} if gone else {})}
    return changed(name, f"Removed network '{name}'", changes)


def _reach(
    name: str,
    wanted: dict[str, Any],
    before: dict[str, Any] | None,
    differing: dict[str, Any],
    missing: list[str],
    comrades: list[str],
    changes: dict[str, Any],
) -> StateReturn:
    joining = missing
    if before and differing:
        call("docker.disconnect_all_containers_from_network", name)
        call("docker.remove_network", name)
        joining = list(dict.fromkeys([*comrades, *missing]))
        changes = {**changes, **({"reconnected": comrades} if comrades else {})}
    if not before or differing:
        call("docker.create_network", name, **wanted)
    for container in joining:
        call("docker.connect_container_to_network", container, name)
    verb = "created" if not before else "was replaced with updated config" if differing else "updated"
    return changed(name, f"Network '{name}' {verb}", changes)


def _found(name: str) -> dict[str, Any] | None:
    try:
        about: dict[str, Any] = call("docker.inspect_network", name)
    except CommandExecutionError as exc:
        if is_missing(exc):
            return None
        raise
    return about


def _differences(before: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return {key: {"old", "new"}} of the given settings that differ."""
    found = {}
    for argument, key in _COMPARED.items():
        if wanted.get(argument) is not None and _plain(before.get(key)) != _plain(wanted[argument]):
            found[key] = {"old": before.get(key), "new": wanted[argument]}
    pools = (before.get("IPAM") or {}).get("Config") or []
    pool = {key.lower(): value for key, value in pools[0].items()} if pools else {}
    for argument in ("subnet", "gateway", "iprange"):
        if wanted.get(argument) and pool.get(argument) != wanted[argument]:
            found[argument] = {"old": pool.get(argument), "new": wanted[argument]}
    return found


def _plain(value: Any) -> Any:
    """Return labels or options, a mapping or a list of `key=value` and mappings, as a mapping.

    Other values are returned unchanged, empty ones as None.
    """
    if isinstance(value, list):
        pairs = (
            each.items() if isinstance(each, dict) else [str(each).partition("=")[::2]] for each in value
        )
        return {str(key): str(text) for each in pairs for key, text in each}
    if isinstance(value, dict):
        return {str(key): str(text) for key, text in value.items()}
    return value or None
