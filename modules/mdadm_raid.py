"""RAID arrays of the kernel, by mdadm (`raid.*`).

Shapes: {device: {"device", "metadata", "name", "uuid", ...}}. Tested with recorded transcripts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from salt_g.api import call, grains, own_arguments
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import acts, output
from salt_g.modules._required import hint
from salt_g.process.command import which

__virtualname__ = "raid"
__func_alias__ = {"list_": "list"}

#: `re.MULTILINE`, as `file.replace` takes it.
_LINES = 8


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("kernel") != "Linux":
        return False, "The mdadm execution module cannot be loaded: only available on Linux."
    if not which("mdadm"):
        why = "The mdadm execution module cannot be loaded: the mdadm binary is not in the path."
        return False, why + hint("mdadm")
    return __virtualname__


def list_() -> dict[str, dict[str, str]]:
    """Return the active arrays.

    Example::

        salt-g raid.list
    """
    found = {}
    for _, device, *facts in (line.split() for line in _scanned()):
        pairs = (fact.partition("=") for fact in facts)
        found[device] = {"device": device, **{key.lower(): value for key, _, value in pairs}}
    return found


def detail(device: str = "/dev/md0") -> dict[str, Any]:
    """Return mdadm's details of an array, with its devices under `members` by number.

    Example::

        salt-g raid.detail /dev/md0
    """
    if not os.path.exists(device):
        raise CommandExecutionError(f"Device {device} doesn't exist!")
    found: dict[str, Any] = {"members": {}}
    for line in output(["mdadm", "--detail", device]).splitlines():
        name, between, value = line.partition(" : ")
        if between:
            found[name.strip().lower().replace(" ", "_")] = value.strip()
        elif "/dev/" in line and not line.startswith(device):
            member = _member(line.split())
            found["members"][member["number"]] = member
    return found


def destroy(device: str) -> bool:
    """Stop an array, clear its devices' superblocks, and remove it from mdadm's configuration.

    Returns whether the array is gone; False if there was none.

    Example::

        salt-g raid.destroy /dev/md0
    """
    try:
        members = detail(device)["members"].values()
    except CommandExecutionError:
        return False
    if acts(["mdadm", "--stop", device]):
        acts(["mdadm", "--zero-superblock", *(member["device"] for member in members)])
    if os.path.exists(_config()):
        call("file.replace", _config(), f"ARRAY {re.escape(device)} .*", "")
    return device not in list_()


def stop() -> bool:
    """Stop all arrays; return whether that succeeded.

    Example::

        salt-g raid.stop
    """
    return acts(["mdadm", "--stop", "--scan"])


def create(
    name: str,
    level: Any,
    devices: Sequence[str],
    metadata: str = "default",
    test_mode: bool = False,
    **kwargs: Any,
) -> str:
    """Create an array of devices; return the output, in `test_mode` the command.

    `missing` is a placeholder for a device added later. Further arguments are options of mdadm(8),
    True for those without a value.

    Example::

        salt-g raid.create /dev/md0 level=1 devices='["/dev/xvdd", "/dev/xvde"]' chunk=256
    """
    given = own_arguments(kwargs)
    count = len(devices) - int(given.get("spare-devices", 0))
    words = ["mdadm", "-C", name, "-R", "-v", "-l", str(level), *_options(given)]
    words += ["-e", str(metadata), "-n", str(count), *devices]
    return " ".join(words) if test_mode else output(words, redirect_stderr=True)


def save_config() -> str | None:
    """Write the active arrays to mdadm's configuration, for the next boot.

    On Debian and Red Hat systems the initramfs is rebuilt; returns the output of that, else None.

    Example::

        salt-g raid.save_config
    """
    for line in _scanned():
        line = re.sub(r"(?i)\s(?:name|metadata)=\S+", "", line) if grains.get("os") == "Ubuntu" else line
        pattern = rf"^ARRAY\s+{re.escape(line.split()[1])}\s+.*$"
        how = {"flags": _LINES, "append_if_not_found": True}
        call("file.touch", _config())
        call("file.replace", _config(), pattern, line, **how)
    rebuild = {"Debian": ["update-initramfs", "-u"], "RedHat": ["dracut", "--force"]}
    words = rebuild.get(grains.get("os_family", ""))
    return output(words, redirect_stderr=True) if words else None


def assemble(name: str, devices: str | Sequence[str], test_mode: bool = False, **kwargs: Any) -> Any:
    """Start an array of devices that belong to it; return the output, in `test_mode` the command's words.

    Further arguments are options, as for `raid.create`.

    Example::

        salt-g raid.assemble /dev/md0 /dev/xvdd,/dev/xvde
    """
    members = devices.split(",") if isinstance(devices, str) else list(devices)
    words = ["mdadm", "-A", name, "-v", *_options(own_arguments(kwargs)), *members]
    return words if test_mode else output(words, redirect_stderr=True)


def examine(device: str, quiet: bool = False) -> dict[str, str]:
    """Return mdadm's data about the array that a device belongs to, or {} if it belongs to none.

    `quiet` has no effect.

    Example::

        salt-g raid.examine /dev/sda1
    """
    rows = (line.partition("=") for line in output(["mdadm", "-Y", "-E", device]).splitlines())
    return {name: value for name, _, value in rows}


def add(name: str, device: str) -> bool:
    """Add a device to an array; return whether that succeeded.

    Example::

        salt-g raid.add /dev/md0 /dev/sda1
    """
    return acts(["mdadm", "--manage", name, "--add", device])


def _scanned() -> list[str]:
    return [line for line in output(["mdadm", "--detail", "--scan"]).splitlines() if " " in line]


def _member(words: list[str]) -> dict[str, str]:
    number, major, minor, raiddevice, *state, device = words
    known = {"device": device, "major": major, "minor": minor, "number": number}
    return {**known, "raiddevice": raiddevice, "state": " ".join(state)}


def _options(given: dict[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in given.items():
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return words


def _config() -> str:
    return "/etc/mdadm/mdadm.conf" if grains.get("os_family") == "Debian" else "/etc/mdadm.conf"
