"""`mount.fstab_present` and `mount.fstab_absent`: mounts at boot only."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change


def fstab_present(
    name: str,
    fs_file: str,
    fs_vfstype: str,
    fs_mntops: Any = "defaults",
    fs_freq: int = 0,
    fs_passno: int = 0,
    mount_by: str | None = None,
    config: str = "/etc/fstab",
    mount: bool = True,
    match_on: Any = "auto",
    not_change: bool = False,
    fs_mount: bool = True,
) -> StateReturn:
    """Ensure that `config` mounts the device `name` at `fs_file`.

    fs_file, fs_vfstype, fs_mntops, fs_freq, fs_passno
        The fields of the entry, as in fstab(5).
    mount_by
        Form in which the device is written: `device`, `label`, `uuid`, `partlabel` or `partuuid`.
    mount
        Also mount it if the entry is new.
    match_on, not_change
        The fields by which an entry is found, and whether to leave a found entry unchanged; see
        `mount.set_fstab`.
    fs_mount
        For other systems; has no effect here.

    Example::

        salt-g state.single mount.fstab_present /dev/sdb1 fs_file=/data fs_vfstype=ext4 mount=False
    """
    point = _point(fs_file)
    device = _converted(name, mount_by)
    if not device:
        return failed(name, f"Device {name} cannot be converted to {mount_by}")
    entry = {"name": point, "device": device, "fstype": fs_vfstype, "opts": fs_mntops, "dump": fs_freq}
    entry |= {"pass_num": fs_passno, "config": config, "match_on": match_on, "not_change": not_change}
    done = call("mount.set_fstab", test=bool(opts["test"]), **entry)
    if opts["test"]:
        return _would(name, point, config, done, mount)
    if done == "present":
        return as_wanted(name, f"{point} entry was already in {config}.")
    if done == "change":
        return changed(name, f"{point} entry updated in {config}.", {"persist": done})
    result, returned = _mounted(name, point) if mount else (True, "")
    comment = f"{point} entry added in {config}.\n{returned}".rstrip("\n")
    return outcome(name, result, comment, {"persist": done})


def fstab_absent(
    name: str, fs_file: str, mount_by: str | None = None, config: str = "/etc/fstab"
) -> StateReturn:
    """Ensure that `config` does not mount the device `name` at `fs_file`; an active mount is not changed.

    Example::

        salt-g state.single mount.fstab_absent /dev/sdb1 fs_file=/data
    """
    point = _point(fs_file)
    is_there = point in call("mount.fstab", config)
    if opts["test"]:
        # Stock also returns None for a missing entry.
        what = f"will be removed from {config}" if is_there else f"is already missing in {config}"
        return would_change(name, f"{point} entry {what}.")
    if not is_there:
        return as_wanted(name, f"{point} entry is already missing in {config}.")
    call("mount.rm_fstab", name=point, device=_converted(name, mount_by), config=config)
    return changed(name, f"{point} entry removed from {config}.", {"persist": "removed"})


def _point(fs_file: str) -> str:
    return fs_file if fs_file == "/" else fs_file.rstrip("/")


def _converted(device: str, kind: str | None) -> str | None:
    """Return a device in the form of `kind` (`UUID=…`); without `kind`, return it unchanged.

    None if not exactly one device matches, or if it has no such form.
    """
    key = (kind or "").upper()
    if not kind or device.startswith(f"{key}=") or (kind == "device" and device.startswith("/")):
        return device
    asked = {"device": device} if device.startswith("/") else {"token": device}
    found = call("disk.blkid", **asked)
    if len(found) != 1:
        return None
    path, about = next(iter(found.items()))
    if kind == "device":
        return str(path)
    return f"{key}={about[key]}" if key in about else None


def _would(name: str, point: str, config: str, done: str, mount: bool) -> StateReturn:
    if done == "present":
        return as_wanted(name, f"{point} entry is already in {config}.")
    if done == "change":
        return would_change(name, f"{point} entry will be updated in {config}.")
    more = f"\nWill mount {name} on {point}" if mount else ""
    return would_change(name, f"{point} entry will be written in {config}.{more}")


def _mounted(name: str, point: str) -> tuple[bool, str]:
    done = call("mount.mount", point)
    if isinstance(done, str):
        return False, f"Error while mounting {done.partition(':')[2] or done}"
    return True, f"Mounted {name} on {point}"
