"""Volume groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from salt_g.modules.linux_lvm._lvm import consent, names, options, run_lvm
from salt_g.modules.linux_lvm.display import vgdisplay

_VALUED = (
    *("addtag", "alloc", "autobackup", "clustered", "maxlogicalvolumes", "maxphysicalvolumes"),
    *("metadatatype", "vgmetadatacopies", "metadatacopies", "physicalextentsize", "zero"),
)


def vgcreate(vgname: str, devices: str | Sequence[str], force: bool = False, **kwargs: Any) -> Any:
    """Create a volume group of devices; return the result of `lvm.vgdisplay` and `Output from vgcreate`.

    `force` answers questions of the program with yes. Further arguments are options of vgcreate(8).

    Example::

        salt-g lvm.vgcreate my_vg /dev/sdb1,/dev/sdb2 physicalextentsize=4M
    """
    if not vgname or not devices:
        return "Error: vgname and device(s) are both required"
    words = ["vgcreate", vgname, *names(devices), consent(force), *options(kwargs, _VALUED)]
    output = run_lvm(words, f'Volume group "{vgname}" successfully created')
    return {**vgdisplay(vgname), "Output from vgcreate": output}


def vgextend(vgname: str, devices: str | Sequence[str], force: bool = False) -> Any:
    """Add devices to a volume group; return {"Output from vgextend": text}.

    Example::

        salt-g lvm.vgextend my_vg /dev/sdb1,/dev/sdb2
    """
    if not vgname or not devices:
        return "Error: vgname and device(s) are both required"
    words = ["vgextend", vgname, consent(force), *names(devices)]
    return {"Output from vgextend": run_lvm(words, f'Volume group "{vgname}" successfully extended')}


def vgremove(vgname: str, force: bool = True) -> str:
    """Remove a volume group; return a message, or the error text.

    Example::

        salt-g lvm.vgremove vgname
    """
    return run_lvm(["vgremove", vgname, consent(force)], f'Volume group "{vgname}" successfully removed')
