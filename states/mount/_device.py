"""Equivalent names of a block device."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from salt_g.api import call


def real_device(device: str, active: Mapping[str, Any], point: str, is_bind: bool) -> str | None:
    """Return a device in the form of `names_of`: a path, a UUID, …; None for a label that no device has."""
    if device.upper().startswith("UUID="):
        return device.partition("=")[2].strip('"').lower()
    if device.upper().startswith("LABEL="):
        return _by_label(device.partition("=")[2])
    volume = re.fullmatch(r"/dev/([^/]+)/([^/]+)", device)
    if volume:
        mapper = "/dev/mapper/" + "-".join(part.replace("-", "--") for part in volume.groups())
        if os.path.exists(mapper):
            return mapper
    if device.startswith("/"):
        is_mounted = is_bind and point in active
        return _source_of_bind(device, active) if is_mounted else os.path.realpath(device)
    fuse = re.fullmatch(r"\w+#(.+)", device)
    return fuse.group(1) if fuse else device


def names_of(active: Mapping[str, Any]) -> list[str]:
    """Return all names of the device of an active mount."""
    names = [active["device"], os.path.realpath(active["device"])]
    names += [active.get(key) for key in ("alt_device", "device_uuid", "device_label")]
    return list(dict.fromkeys(name for name in names if name))


def _by_label(label: str) -> str | None:
    # Bypass blkid's cache, which can be outdated for two seconds after a change.
    words = ["blkid", "-c", "/dev/null", "-t", f"LABEL={label}"]
    finished = call("cmd.run_all", words, python_shell=False, ignore_retcode=True)
    return finished["stdout"].partition(":")[0] if finished["retcode"] == 0 else None


def _source_of_bind(path: str, active: Mapping[str, Any]) -> str:
    """Return the device of a directory, which the kernel reports as the source of a bind mount."""
    while path.replace(" ", "\\040") not in active and path != "/":
        path = os.path.dirname(path)
    known = active.get(path.replace(" ", "\\040"))
    return str(known["device"]) if known else path
