"""`lvm.lv_present` and `lvm.lv_absent`: logical volumes."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts, own_arguments
from salt_g.errors import InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.lvm._failure import with_reason

#: Megabytes per unit of a size; a sector has 512 bytes.
_UNITS = {"s": 1 / 2048, "m": 1, "g": 1024, "t": 1024**2, "p": 1024**3}


@takes("lvm.lvcreate")
def lv_present(
    name: str,
    vgname: str | None = None,
    size: Any = None,
    extents: Any = None,
    snapshot: str | None = None,
    pv: str = "",
    thinvolume: bool = False,
    thinpool: bool = False,
    force: bool = False,
    resizefs: bool = False,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a logical volume exists with the given size.

    size
        Megabytes, or with a unit: S (sectors of 512 bytes), M, G, T, P.
    extents
        Instead of a size: a number of extents, or a percentage (`100%FREE`), which is used only when the
        volume is created.
    snapshot
        Ensure that a snapshot of this name exists; `name` is then the volume to create it from.
    force
        Answer yes to all questions; a volume is reduced only with this option.
    resizefs
        Also resize the file system when the volume is resized.

    The other arguments are those of `lvm.lvcreate`.

    Example::

        salt-g state.single lvm.lv_present lvroot vgname=my_vg size=10G
    """
    if extents and size:
        return failed(name, "Only one of extents or size can be specified.")
    wanted_mb = megabytes(size) if size else None
    name, origin = (snapshot, name) if snapshot else (name, None)
    path = f"/dev/{str(vgname).split('/')[0] if thinvolume else vgname}/{name}"
    there = call("lvm.lvdisplay", path, quiet=True).get(path)
    if there and not size and not extents:
        return as_wanted(name, f"Logical Volume {name} already present")
    if there:
        return _resized(name, path, there, wanted_mb, size, extents, force, resizefs)
    if opts["test"]:
        return would_change(name, f"Logical Volume {name} is set to be created")
    how = {"size": size, "extents": extents, "snapshot": origin, "pv": pv, "thinvolume": thinvolume}
    more = {"thinpool": thinpool, "force": force, **own_arguments(kwargs)}
    done = call("lvm.lvcreate", name, vgname, **how, **more)
    if call("lvm.lvdisplay", path):
        return changed(name, f"Created Logical Volume {name}", {"created": done})
    return failed(name, with_reason(f"Failed to create Logical Volume {name}", done))


def lv_absent(name: str, vgname: str | None = None) -> StateReturn:
    """Ensure that a logical volume does not exist.

    Example::

        salt-g state.single lvm.lv_absent lvroot vgname=my_vg
    """
    path = f"/dev/{vgname}/{name}"
    if not call("lvm.lvdisplay", path, quiet=True):
        return as_wanted(name, f"Logical Volume {name} already absent")
    if opts["test"]:
        return would_change(name, f"Logical Volume {name} is set to be removed")
    done = call("lvm.lvremove", name, vgname)
    if call("lvm.lvdisplay", path, quiet=True):
        return failed(name, with_reason(f"Failed to remove Logical Volume {name}", done))
    return changed(name, f"Removed Logical Volume {name}", {"removed": done})


def megabytes(size: Any) -> float:
    """Return a size with or without a unit (`10G`, `10GB`, `512`) in megabytes."""
    text = str(size).lower()
    text = f"{text}m" if text[-1:].isdigit() else text.removesuffix("b")
    number, unit = text[:-1], text[-1:]
    if not number.isdigit():
        raise InvocationError(f"Size {size} is invalid.")
    if unit not in _UNITS:
        raise InvocationError(f"Unit {unit} is invalid.")
    return int(number) * _UNITS[unit]


def _resized(
    name: str,
    path: str,
    there: dict[str, str],
    wanted_mb: float | None,
    size: Any,
    extents: Any,
    force: bool,
    resizefs: bool,
) -> StateReturn:
    """Resize a volume; a percentage does not apply to an existing volume."""
    is_mb = megabytes(f"{there['Logical Volume Size']}s")
    is_extents = int(there["Current Logical Extents Associated"])
    if "%" in str(extents):
        return as_wanted(name, f"Logical Volume {name} already present, {extents} won't be resized.")
    difference = wanted_mb - is_mb if wanted_mb is not None else int(extents or is_extents) - is_extents
    if not difference:
        return as_wanted(name, f"Logical Volume {name} already present")
    if difference < 0 and force is False:
        return failed(name, "To reduce a Logical Volume option 'force' must be True.")
    if opts["test"]:
        return would_change(name, f"Logical Volume {name} is set to be resized")
    amount = {"size": size} if size else {"extents": extents}
    done = call("lvm.lvresize", lvpath=path, resizefs=resizefs, force=force, **amount)
    now_mb = megabytes(f"{call('lvm.lvdisplay', path, quiet=True)[path]['Logical Volume Size']}s")
    if now_mb != is_mb:
        return changed(name, f"Resized Logical Volume {name}", {"resized": done})
    reason = done["Output from lvresize"] if done else "Unknown Error."
    return failed(name, f"Failed to resize Logical Volume {name}.\nError: {reason}")
