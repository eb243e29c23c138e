"""Grains of the running kernel and its boot."""

from __future__ import annotations

import os
from typing import Any

from salt_g.grains._sources import is_directory, names, text, which

__virtualname__ = "core"


def kernel() -> dict[str, str]:
    """Return the kernel's name, release and version, its machine type and this node's name."""
    name, node, release, version, machine = os.uname()
    return {
        "kernel": name,
        "nodename": node,
        "kernelrelease": release,
        "kernelversion": version,
        "cpuarch": machine,
    }


def kernelparams(root: str = "/") -> dict[str, Any]:
    """Return the boot parameters as [name, value] pairs; a bare word has the value None."""
    line = text("/proc/cmdline", root)
    if line is None:
        return {}
    import shlex  # Imported lazily: only this grain needs it.

    return {"kernelparams": [_parameter(word) for word in shlex.split(line)]}


def efi(root: str = "/") -> dict[str, bool]:
    """Return whether this machine was booted by UEFI, and whether with secure boot."""
    variables = next((path for path in EFI_VARIABLES if is_directory(path, root)), None)
    secure = variables is not None and _is_secure_boot(variables, root)
    return {"efi": variables is not None, "efi-secure-boot": secure}


def transactional() -> dict[str, bool]:
    """Return whether the system has transactional updates (SUSE's read-only root)."""
    return {"transactional": which("transactional-update") is not None}


#: Directories of the firmware's variables: the present file system, then the older one.
EFI_VARIABLES = ("/sys/firmware/efi/efivars", "/sys/firmware/efi/vars")


def _parameter(word: str) -> tuple[str, str | None]:
    # A value that contains `=` is reported as None, as in stock.
    parts = word.split("=")
    return parts[0], parts[1].strip('"') if len(parts) == 2 else None


def _is_secure_boot(variables: str, root: str) -> bool:
    found = [name for name in names(variables, root) if name.startswith("SecureBoot-")]
    if len(found) != 1:
        return False
    leaf = "" if variables.endswith("efivars") else "/data"
    return (text(f"{variables}/{found[0]}{leaf}", root) or "").endswith("\x01")
