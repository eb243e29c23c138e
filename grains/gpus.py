"""Grains of graphics processors, from `lspci`."""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import opts
from salt_g.grains._sources import output

__all__ = ["gpus"]
__virtualname__ = "core"

#: Vendors, recognized as a word of the PCI vendor's name; any other is `unknown`.
VENDORS = ("nvidia", "amd", "ati", "intel", "cirrus logic", "vmware", "matrox", "aspeed")
#: PCI classes that count as graphics processors.
CLASSES = (
    "3d controller",
    "display controller",
    "processing accelerators",
    "vga compatible controller",
)


def gpus() -> dict[str, Any]:
    """Return `num_gpus`, and the list `gpus` of {'vendor', 'model'}.

    Either setting, `enable_gpu_grains: False` or `enable_lspci: False`, turns the search off.
    """
    wanted = opts.get("enable_gpu_grains", True) and opts.get("enable_lspci", True)
    found = graphics(output("lspci", "-vmm") or "") if wanted else []
    return {"num_gpus": len(found), "gpus": found}


def graphics(listing: str) -> list[dict[str, str]]:
    """Return the graphics processors in `lspci -vmm`, whose records are separated by blank lines."""
    devices = [_record(block) for block in listing.split("\n\n")]
    return [
        {"vendor": _vendor(device.get("Vendor", "")), "model": device.get("Device", "")}
        for device in devices
        if device.get("Class", "").lower() in CLASSES
    ]


def _record(block: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in block.splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _vendor(name: str) -> str:
    words = re.split("[^A-Za-z0-9]", name.lower())
    return next((vendor for vendor in VENDORS if vendor in words), "unknown")
