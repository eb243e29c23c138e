"""Docker volumes."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._docker import offered
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return offered()


def present(
    name: str, driver: str | None = None, driver_opts: Any = None, force: bool = False
) -> StateReturn:
    """Ensure that a volume exists; one with another `driver` is replaced only with `force`.

    Example::

        salt-g state.single docker_volume.present data driver=local
    """
    try:
        volume = _found(name)
        if volume and (driver is None or volume["Driver"] == driver):
            return as_wanted(name, f"Volume '{name}' already exists.")
        if volume and not force:
            comment = (
                f"Driver for existing volume '{name}' ('{volume['Driver']}') does not match specified "
                f"driver ('{driver}') and force is False"
            )
            return outcome(name, None if opts["test"] else False, comment)
        if opts["test"]:
            replaced = f"The volume '{name}' will be replaced with a new one using the driver '{driver}'"
            return would_change(name, replaced if volume else f"The volume '{name}' will be created")
        changes = {"removed": call("docker.remove_volume", name)} if volume else {}
    except CommandExecutionError as exc:
        return failed(name, f"Failed to remove volume '{name}': {exc}")
    try:
        changes["created"] = call("docker.create_volume", name, driver=driver, driver_opts=driver_opts)
    except CommandExecutionError as exc:
        return failed(name, f"Failed to create volume '{name}': {exc}", changes)
    return changed(name, "", changes)


def absent(name: str, driver: str | None = None) -> StateReturn:
    """Ensure that a volume does not exist.

    Example::

        salt-g state.single docker_volume.absent data
    """
    try:
        if not _found(name):
            return as_wanted(name, f"Volume '{name}' already absent")
        if opts["test"]:
            return would_change(name, f"The volume '{name}' will be removed")
        return changed(name, "", {"removed": call("docker.remove_volume", name)})
    except CommandExecutionError as exc:
        return failed(name, f"Failed to remove volume '{name}': {exc}")


def _found(name: str) -> dict[str, Any] | None:
    volumes = call("docker.volumes").get("Volumes") or []
    return next((volume for volume in volumes if volume["Name"] == name), None)
