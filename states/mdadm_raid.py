"""States of the kernel's RAID arrays (`raid.*`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from salt_g.api import call, grains, opts, own_arguments
from salt_g.process.command import which
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, failed, outcome, would_change

__virtualname__ = "raid"


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("kernel") != "Linux":
        return False, "Only supported on Linux"
    if not which("mdadm"):
        return False, "Unable to locate command: mdadm"
    return __virtualname__


@takes("raid.create")
def present(name: str, level: Any, devices: Sequence[str], **kwargs: Any) -> StateReturn:
    """Ensure that an array runs: assemble it from its devices and add new ones, or create it from new ones.

    name
        The device of the array, such as `/dev/md0`.
    devices
        The member devices; `missing` is a placeholder for a device added later.

    Further arguments are those of `raid.create`.

    Example::

        salt-g state.single raid.present /dev/md0 level=1 devices='["/dev/xvdd", "/dev/xvde"]'
    """
    running = call("raid.list").get(name)
    found = _sorted(devices)
    problem = _problem(running, found)
    if problem:
        return failed(name, problem)
    more = own_arguments(kwargs)
    make, verb = "raid.assemble", "assembled"
    arguments: tuple[Any, ...] = (name, found.known)
    if not found.known:
        make, verb = "raid.create", "created"
        arguments = (name, level, [*found.new, *["missing"] * len(found.missing)])
    if opts["test"]:
        returned = None if running else call(make, *arguments, test_mode=True, **more)
        return _would(name, running, found, verb, returned)
    changes: dict[str, Any] = {}
    comment = f"Raid {name} already present."
    if not running:
        call(make, *arguments, **more)
        changes = call("raid.list").get(name) or {}
        if not changes:
            return failed(name, f"Raid {name} failed to be {verb}.{_missing(found)}")
        comment = f"Raid {name} {verb}."
        call("raid.save_config")
    result = True
    if found.new and (running or found.known):
        result, returned = _add(name, found.new)
        comment += returned
        changes = {**changes, "added": found.new} if result else changes
    return outcome(name, result, comment + _missing(found), changes)


def absent(name: str) -> StateReturn:
    """Ensure that an array does not exist; its data is lost.

    Example::

        salt-g state.single raid.absent /dev/md0
    """
    if name not in call("raid.list"):
        return as_wanted(name, f"Raid {name} already absent")
    if opts["test"]:
        return would_change(name, f"Raid {name} is set to be destroyed")
    done = call("raid.destroy", name)
    returned = "has been destroyed" if done else "failed to be destroyed"
    return outcome(name, done, f"Raid {name} {returned}")


class _Devices(NamedTuple):
    """Member devices: those in an array, those outside of arrays, missing ones; the UUIDs of the arrays."""

    known: list[str]
    new: list[str]
    missing: list[str]
    uuids: list[str]


def _sorted(devices: Sequence[str]) -> _Devices:
    found = _Devices([], [], [], [])
    for device in devices:
        if device == "missing" or not call("file.access", device, "f"):
            found.missing.append(device)
            continue
        uuid = call("raid.examine", device, quiet=True).get("MD_UUID")
        (found.known if uuid else found.new).append(device)
        if uuid and uuid not in found.uuids:
            found.uuids.append(uuid)
    return found


def _problem(running: dict[str, str] | None, found: _Devices) -> str:
    if len(found.uuids) > 1:
        listed = sorted(found.uuids)
        return f"Devices are a mix of RAID constituents with multiple MD_UUIDs: {listed}."
    if found.uuids and running and running["uuid"] != found.uuids[0]:
        uuid = running["uuid"]
        return f"Devices MD_UUIDs: {found.uuids[0]} differs from present RAID uuid {uuid}."
    if not running and not found.known and not found.new:
        return f"All devices are missing: {found.missing}."
    return ""


def _missing(found: _Devices) -> str:
    return f" Missing devices: {found.missing}" if found.missing else ""


def _would(
    name: str, running: dict[str, str] | None, found: _Devices, verb: str, returned: Any
) -> StateReturn:
    result: bool | None = True if running else None
    comment = f"Raid {name} already present." if running else f"Raid will be {verb} with: {returned}"
    if found.new and (running or found.known):
        comment += f" New devices will be added: {found.new}"
        result = None
    return outcome(name, result, comment + _missing(found))


def _add(name: str, devices: list[str]) -> tuple[bool, str]:
    done = {device: call("raid.add", name, device) for device in devices}
    returned = (
        f" Added new device {device} to {name}.\n" if added else f" Unable to add {device} to {name}.\n"
        for device, added in done.items()
    )
    return all(done.values()), "".join(returned)
