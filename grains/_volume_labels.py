"""Whether a volume group can be on this machine, told from the labels of its block devices.

Why its own file: asking `vgs` takes 50 ms, half of what a whole state run takes, and most machines that have
lvm2 installed have no volume group. A group is on physical volumes, and each of these begins with a label; a
group without active volumes has them too. Whoever cannot be sure here asks `vgs`: that is the answer to every
doubt (no permission, a kind of device that is not known, a device that may not answer at once).

Source: lvm2's label.h (`LABELONE` begins one of the first four sectors of 512 bytes; it was `HM` once).
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
#: With more devices `vgs`, which reads them side by side, is the faster one.
_MANY = 64
#: Kinds of devices that answer soon or say in /sys that they do not.
_KNOWN = re.compile(r"(?:sd|hd|vd|xvd|nvme|mmcblk|md|loop|zram|ram|dm-)")
#: Drives with exchangeable disks, which lvm2 does not look at.
_NEVER_VOLUMES = re.compile(r"(?:sr|fd)\d")
#: What /sys says of a disk that works; one without a state has nothing to say.
_WORKING = frozenset(("", "running", "live"))
#: There is no disk behind the device, or this container may not use it: no program here finds a volume.
_OUT_OF_REACH = frozenset((errno.ENXIO, errno.ENOMEDIUM, errno.EPERM))


def may_have_groups(root: str = "/") -> bool:
    """Return False when no block device carries the label of a physical volume, True in any doubt."""
    found = [name for name in names("/sys/class/block", root) if _can_hold_a_volume(name, root)]
    if not found or len(found) > _MANY or not all(_answers_soon(name, root) for name in found):
        return True
    return offload_in_daemon(_any_labelled, found, root)


def _can_hold_a_volume(name: str, root: str) -> bool:
    return _said(name, "size", root) != "0" and not _NEVER_VOLUMES.match(name)


def _answers_soon(name: str, root: str) -> bool:
    """Return whether reading a device cannot wait for long: it works and has no other paths to wait for."""
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
    """Return whether /dev has under a name what the kernel calls so; recorded trees have no devices."""
    number = os.fstat(device).st_rdev
    return root != "/" or _said(name, "dev", root) == f"{os.major(number)}:{os.minor(number)}"


def _is_label(beginning: bytes) -> bool:
    sectors = range(0, len(beginning), _SECTOR)
    return beginning.startswith(_OLD_LABEL) or any(beginning.startswith(_LABEL, at) for at in sectors)
