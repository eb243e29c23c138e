"""Detection of LVM physical volumes by the labels of block devices.

Running `vgs` takes 50 ms, half of a whole state run, and most machines with lvm2 installed have no volume
group. Every volume group, active or not, has physical volumes, and each of these begins with a label. If in
doubt (no permission, unknown kind of device, device that may not respond at once), the caller runs `vgs`.
Source: lvm2's label.h (`LABELONE` begins one of the first four sectors of 512 bytes; LVM1 wrote `HM`).
"""

from __future__ import annotations

import errno
import os
import re

from salt_g.grains._sources import below, names, text
from salt_g.process.offload import offload_in_daemon

_SECTOR = 512
_LABEL_SECTORS = 4
_LABEL = b"LABELONE"
_OLD_LABEL = b"HM"
#: With more devices `vgs`, which reads them in parallel, is faster.
_MANY = 64
#: Kinds of devices that respond fast, or whose state in /sys says that they do not.
_KNOWN = re.compile(r"(?:sd|hd|vd|xvd|nvme|mmcblk|md|loop|zram|ram|dm-)")
#: Drives with removable disks, which lvm2 ignores.
_NEVER_VOLUMES = re.compile(r"(?:sr|fd)\d")
#: State in /sys of a working disk; devices without a state have an empty one.
_WORKING = frozenset(("", "running", "live"))
#: No disk behind the device, or no access from this container: no program here can find a volume.
_OUT_OF_REACH = frozenset((errno.ENXIO, errno.ENOMEDIUM, errno.EPERM))


def may_have_groups(root: str = "/") -> bool:
    """Return whether a block device carries the label of a physical volume; True if in doubt."""
    found = [name for name in names("/sys/class/block", root) if _can_hold_a_volume(name, root)]
    if not found or len(found) > _MANY or not all(_answers_soon(name, root) for name in found):
        return True
    return offload_in_daemon(_any_labelled, found, root)


def _can_hold_a_volume(name: str, root: str) -> bool:
    return _said(name, "size", root) != "0" and not _NEVER_VOLUMES.match(name)


def _answers_soon(name: str, root: str) -> bool:
    """Return whether a device is known to be in working order, so that reading it cannot block for long."""
    is_known = _KNOWN.match(name) is not None and _said(name, "device/state", root) in _WORKING
    is_waiting = _said(name, "dm/suspended", root) == "1" or _said(name, "dm/uuid", root).startswith("mpath-")
    return is_known and not is_waiting


def _said(name: str, about: str, root: str) -> str:
    return (text(f"/sys/class/block/{name}/{about}", root) or "").strip()


def _any_labelled(found: list[str], root: str) -> bool:
    return any(_may_be_labelled(name, root) for name in found)


def _may_be_labelled(name: str, root: str) -> bool:
    try:
        device = os.open(
            below(root, f"/dev/{name.replace('!', '/')}"), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        )
    except OSError as exc:
        return exc.errno not in _OUT_OF_REACH
    try:
        return not _is_the_device(device, name, root) or _is_label(
            os.pread(device, _SECTOR * _LABEL_SECTORS, 0)
        )
    except OSError:
        return True
    finally:
        os.close(device)


def _is_the_device(device: int, name: str, root: str) -> bool:
    """Return whether an opened node of /dev is the device of this name in /sys.

    True for recorded trees, which have no device nodes.
    """
    number = os.fstat(device).st_rdev
    return root != "/" or _said(name, "dev", root) == f"{os.major(number)}:{os.minor(number)}"


def _is_label(beginning: bytes) -> bool:
    sectors = range(0, len(beginning), _SECTOR)
    return beginning.startswith(_OLD_LABEL) or any(beginning.startswith(_LABEL, at) for at in sectors)
