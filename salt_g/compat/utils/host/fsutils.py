"""Stock's `salt.utils.fsutils`: mounts and block devices, with the private names that extensions use."""

import os
import stat
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError


def _verify_run(out: Mapping[str, Any], cmd: str | None = None) -> None:
    """Raise CommandExecutionError if the result of `cmd.run_all` has an exit code and text on stderr."""
    if out.get("retcode") and out.get("stderr"):
        raise CommandExecutionError(str(out["stderr"]).strip())


def _get_mounts(fs_type: str | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return {device: [{mount_point, options}, ...]} of mounted file systems.

    Without `fs_type`, each entry also has `type`.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    with open("/proc/mounts", encoding="utf-8") as file:
        for line in file:
            device, point, kind, options = line.split()[:4]
            if fs_type in (None, kind):
                about: dict[str, Any] = {"mount_point": point, "options": options.split(",")}
                found.setdefault(device, []).append(about if fs_type else {**about, "type": kind})
    return found


def _blkid_output(out: str, fs_type: str | None = None) -> dict[str, dict[str, str]]:
    """Return {device: fields} from the output of `blkid -o export`; with `fs_type`, omit the field `type`."""
    found = {}
    for block in out.split("\n\n"):
        fields = {
            key.lower(): value
            for key, _, value in (line.partition("=") for line in block.split("\n"))
            if value
        }
        device = fields.pop("devname", None)
        if device and (fs_type is None or fields.get("type") == fs_type):
            if fs_type:
                del fields["type"]
            found[device] = fields
    return found


def _blkid(fs_type: str | None = None) -> dict[str, dict[str, str]]:
    """Return {device: fields} of the block devices, with `fs_type` only of those with this file system."""
    # Bypass blkid's cache, which can be outdated for two seconds after a change.
    result = api.call("cmd.run_all", ["blkid", "-c", "/dev/null", "-o", "export"], python_shell=False)
    _verify_run(result)
    return _blkid_output(result["stdout"], fs_type)


def _is_device(path: str) -> bool:
    """Return whether a path is a block device."""
    path = os.path.realpath(path)
    return os.path.exists(path) and stat.S_ISBLK(os.stat(path).st_mode)
