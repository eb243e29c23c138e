"""Logical volumes."""

from __future__ import annotations

import logging
from typing import Any

from salt_g.modules.linux_lvm._lvm import consent, run_lvm
from salt_g.modules.linux_lvm.display import lvdisplay

log = logging.getLogger(__name__)

_VALUED = (
    *("activate", "chunksize", "contiguous", "discards", "stripes", "stripesize", "minor", "persistent"),
    *("mirrors", "monitor", "permission", "poolmetadatasize", "readahead", "regionsize", "type"),
    *("virtualsize", "zero"),
)
_BARE = ("nosync", "noudevsync", "ignoremonitoring", "thin")


def lvcreate(
    lvname: str,
    vgname: str,
    size: Any = None,
    extents: Any = None,
    snapshot: str | None = None,
    pv: str | None = None,
    thinvolume: bool = False,
    thinpool: bool = False,
    force: bool = False,
    **kwargs: Any,
) -> Any:
    """Create a logical volume; return the result of `lvm.lvdisplay` and `Output from lvcreate`.

    size
        In megabytes, or with a unit (`10G`); alternatively `extents`, a number or a percentage (`100%FREE`).
    snapshot
        The volume to create a snapshot of.
    pv
        The physical volume to take space from.
    thinvolume, thinpool
        Create a thin volume in the pool `vgname` (`group/pool`), or a thin pool.

    `force` answers questions of the program with yes. Further arguments are options of lvcreate(8).

    Example::

        salt-g lvm.lvcreate new_volume_name vg_name size=10G
    """
    if size and extents:
        return "Error: Please specify only one of size or extents"
    if thinvolume and thinpool:
        return "Error: Please set only one of thinvolume or thinpool to True"
    if thinvolume and extents:
        return "Error: Thin volume size cannot be specified as extents"
    if not size and not extents:
        return "Error: Either size or extents must be specified"
    kind = ["--thin", "-n"] if thinvolume else ["--thinpool"] if thinpool else ["-n"]
    origin = ["-s", f"{vgname}/{snapshot}"] if snapshot else [vgname]
    amount = _amount(size, extents, "-V" if thinvolume else "-L")
    words = [*kind, lvname, *origin, *amount, *([pv] if pv else []), *_options(kwargs), consent(force)]
    output = run_lvm(["lvcreate", *words], f'Logical volume "{lvname}" created.')
    return {**lvdisplay(f"/dev/{vgname}/{lvname}"), "Output from lvcreate": output}


def lvremove(lvname: str, vgname: str, force: bool = True) -> str:
    """Remove a logical volume; return a message, or the error text.

    Example::

        salt-g lvm.lvremove lvname vgname
    """
    words = ["lvremove", f"{vgname}/{lvname}", consent(force)]
    return run_lvm(words, f'Logical volume "{lvname}" successfully removed')


def lvresize(
    size: Any = None,
    lvpath: str | None = None,
    extents: Any = None,
    force: bool = False,
    resizefs: bool = False,
) -> dict[str, str]:
    """Resize a logical volume; `resizefs` also resizes its file system.

    `force` permits reducing it. Returns {"Output from lvresize": text}, {} for invalid arguments.

    Example::

        salt-g lvm.lvresize +12M /dev/mapper/vg1-test
    """
    return _resize("lvresize", "resized", size, lvpath, extents, consent(force, "--force"), resizefs)


def lvextend(
    size: Any = None,
    lvpath: str | None = None,
    extents: Any = None,
    force: bool = False,
    resizefs: bool = False,
) -> dict[str, str]:
    """Extend a logical volume; `resizefs` also extends its file system.

    Returns {"Output from lvextend": text}, {} for invalid arguments.

    Example::

        salt-g lvm.lvextend +12M /dev/mapper/vg1-test
    """
    return _resize("lvextend", "extended", size, lvpath, extents, consent(force), resizefs)


def _resize(
    program: str, done: str, size: Any, lvpath: str | None, extents: Any, consented: str, resizefs: bool
) -> dict[str, str]:
    if bool(size) == bool(extents):
        log.error("%s: specify size or extents, and only one of them", lvpath)
        return {}
    file_system = ["--resizefs"] if resizefs else []
    words = [program, consented, *file_system, *_amount(size, extents, "-L"), str(lvpath)]
    return {f"Output from {program}": run_lvm(words, f'Logical volume "{lvpath}" successfully {done}.')}


def _amount(size: Any, extents: Any, size_flag: str) -> list[str]:
    return [size_flag, str(size)] if size else ["-l", str(extents)]


def _options(given: dict[str, Any]) -> list[str]:
    """Return the supported options as arguments; unlike `_lvm.options`, keep values such as 0."""
    words: list[str] = []
    for name, value in given.items():
        if name in _BARE:
            words.append(f"--{name}")
        elif name in _VALUED:
            words += [f"--{name}", str(value)]
    return words
