"""Grains of the machine's manufacturer, model and firmware.

Source: the kernel's copy of the DMI tables in /sys/class/dmi/id, or on ARM and POWER the
devicetree in /proc/device-tree.
"""

from __future__ import annotations

from salt_g.grains._sources import is_directory, text

__virtualname__ = "core"

#: {grain: file in /sys/class/dmi/id}
FIRMWARE = {
    "biosversion": "bios_version",
    "biosvendor": "bios_vendor",
    "boardname": "board_name",
    "productname": "product_name",
    "manufacturer": "sys_vendor",
    "biosreleasedate": "bios_date",
    "uuid": "product_uuid",
    "serialnumber": "product_serial",
}


def devicetree(root: str = "/") -> dict[str, str]:
    """Return `manufacturer`, `productname` and `serialnumber` of a machine with a devicetree."""
    if not is_directory("/proc/device-tree", root):
        return {}
    found = _maker_and_model(_node("model", root))
    # POWER has `system-id`; `serial-number` is the standard name and takes precedence.
    serial = _node("serial-number", root) or _node("system-id", root)
    return {**found, "serialnumber": serial} if serial else found


def firmware(root: str = "/") -> dict[str, str]:
    """Return the grains of the DMI tables; files readable only by root are left out for other users."""
    found = {}
    for grain, name in FIRMWARE.items():
        value = text(f"/sys/class/dmi/id/{name}", root)
        if value is not None:
            found[grain] = value.strip()
    if "uuid" in found:
        found["uuid"] = found["uuid"].lower()
    return found


def _node(name: str, root: str) -> str:
    return (text(f"/proc/device-tree/{name}", root) or "").rstrip("\0")


def _maker_and_model(model: str) -> dict[str, str]:
    maker, comma, product = model.partition(",")
    if comma:
        return {"manufacturer": maker, "productname": product}
    return {"productname": model} if model else {}
