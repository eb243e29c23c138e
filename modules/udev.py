"""Facts about devices from udev's database.

Shapes: a device is {letter: value}, with the letters of udevadm(8) (`P` path, `N` name, `S` link, ...);
`E` holds the environment. A letter with several values has a list; numbers in the environment are numbers.
Source: udevadm(8).
"""

from __future__ import annotations

import os
import re
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import run
from salt_g.modules._required import hint
from salt_g.process.command import which

#: Separator of devices in the whole database: an empty line.
_SEPARATOR = "\n\n"
_INTEGER = re.compile(r"-?\d+", re.ASCII)
_FRACTION = re.compile(r"-?\d+\.\d+", re.ASCII)


def __virtual__() -> bool | tuple[bool, str]:
    if which("udevadm"):
        return True
    return False, "The udev execution module cannot be loaded: there is no udevadm in the path." + hint(
        "udevadm"
    )


def info(dev: str) -> dict[str, Any]:
    """Return all facts about a device, given by its path below /dev or /sys.

    Raises CommandExecutionError for an unknown device.

    Example::

        salt-g udev.info /dev/sda
    """
    option = "--path" if "sys" in dev.split(os.sep)[:2] else "--name"
    return _device(_udevadm("info", "--export", "--query=all", f"{option}={dev}"))


def env(dev: str) -> Any:
    """Return the environment of a device.

    Example::

        salt-g udev.env /dev/sda
    """
    return info(dev).get("E")


def name(dev: str) -> Any:
    """Return the name of a device below /dev, or None if it has none.

    Example::

        salt-g udev.name /dev/sda
    """
    return info(dev).get("N")


def path(dev: str) -> Any:
    """Return the path of a device below /sys.

    Example::

        salt-g udev.path /dev/sda
    """
    return info(dev).get("P")


def links(dev: str) -> Any:
    """Return the links that udev created for a device, or None if there are none.

    Example::

        salt-g udev.links /dev/sda
    """
    return info(dev).get("S")


def exportdb(subsystems: list[str] | None = None) -> list[dict[str, Any]]:
    """Return all devices.

    subsystems
        A list of names such as `block`: return only devices of these subsystems. Raises InvocationError for
        other types.

    Example::

        salt-g udev.exportdb subsystems='[usb, block]'
    """
    if subsystems is not None and not isinstance(subsystems, list):
        raise InvocationError("subsystems must be a list.")
    devices = [_device(text) for text in _udevadm("info", "--export-db").split(_SEPARATOR) if text.strip()]
    if not subsystems:
        return devices
    return [device for device in devices if device.get("E", {}).get("SUBSYSTEM") in subsystems]


def _udevadm(*words: str) -> str:
    done = run(["udevadm", *words])
    if done["retcode"]:
        raise CommandExecutionError(done["stderr"] or f"udevadm {' '.join(words)} failed")
    return done["stdout"]


def _device(text: str) -> dict[str, Any]:
    """Return the facts in the lines `letter: value` of one device."""
    found: dict[str, list[str]] = {}
    environment: dict[str, Any] = {}
    for line in text.splitlines():
        letter, colon, value = line.partition(": ")
        if not colon:
            continue
        if letter == "E":
            key, _, value = value.partition("=")
            environment[key] = _number(value)
        else:
            found.setdefault(letter, []).append(value)
    facts: dict[str, Any] = {
        letter: values[0] if len(values) == 1 else values for letter, values in found.items()
    }
    return {**facts, "E": environment} if environment else facts


def _number(value: str) -> Any:
    """Return a number if the text is one in decimal, else the text."""
    if _INTEGER.fullmatch(value):
        return int(value)
    return float(value) if _FRACTION.fullmatch(value) else value
