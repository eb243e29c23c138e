"""Grains of the processors, read from /proc/cpuinfo."""

from __future__ import annotations

from typing import Any

from salt_g.grains._sources import lines

__virtualname__ = "core"


def cpu(root: str = "/") -> dict[str, Any]:
    """Return `num_cpus`, `cpu_model` and `cpu_flags`.

    The keys of /proc/cpuinfo differ by architecture: x86 and ARM have a `processor` line for each CPU,
    S/390 states the number, ARMv6 has one `Processor` line, POWER names the model `cpu`.
    """
    found: dict[str, Any] = {"num_cpus": 0, "cpu_model": "Unknown", "cpu_flags": []}
    flags = ""
    for line in lines("/proc/cpuinfo", root):
        key, separator, value = line.partition(":")
        if not separator:
            continue
        key, value = key.strip(), value.split(":")[0].strip()
        if key == "processor":
            found["num_cpus"] += 1
        elif key == "# processors":
            found["num_cpus"] = int(value)
        elif key in ("vendor_id", "model name", "cpu"):
            found["cpu_model"] = value
        elif key in ("flags", "Features"):
            flags = value
        elif key == "Processor":
            found.update(num_cpus=1, cpu_model=value.split("-")[0])
    found["cpu_flags"] = flags.split()
    return found
