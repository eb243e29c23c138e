"""Grains of the first process, systemd and SELinux."""

from __future__ import annotations

import os
from typing import Any

from salt_g.grains._sources import below, output, text, which

__virtualname__ = "core"

#: Programs that run as process 1 in containers; the grain has the same names.
CONTAINER_INITS = ("supervisord", "dumb-init", "tini")
#: Byte strings in `/sbin/init` that identify the init system.
INIT_MARKS = (b"upstart", b"sysvinit", b"systemd")


def init(root: str = "/") -> dict[str, str]:
    """Return the init system: `systemd`, `upstart`, `sysvinit`, `runit`, ..., or `unknown`."""
    if os.path.exists(below(root, "/run/systemd/system")):
        return {"init": "systemd"}
    words = (text("/proc/1/cmdline", root) or "").replace("\0", " ").split()
    return {"init": _init_of(words, root) if words else "unknown"}


def systemd() -> dict[str, Any]:
    """Return version and compiled features of systemd, or {} on a machine without it."""
    if which("systemctl") is None or which("localectl") is None:
        return {}
    first, _, features = (output("systemctl", "--version") or "").partition("\n")
    words = first.split()
    known = len(words) > 1 and words[0] == "systemd"
    return {
        "systemd": {
            "version": words[1] if known else "UNDEFINED",
            "features": features.split("\n")[0] if known else "",
        }
    }


def selinux(root: str = "/") -> dict[str, Any]:
    """Return whether SELinux is enabled and enforced, or {} without the program `selinuxenabled`.

    /sys/fs/selinux has the values that `selinuxenabled` and `getenforce` would print.
    """
    if which("selinuxenabled") is None:
        return {}
    enforce = text("/sys/fs/selinux/enforce", root)
    found: dict[str, Any] = {"enabled": enforce is not None}
    if which("getenforce"):
        found["enforced"] = {None: "Disabled", "1": "Enforcing"}.get(enforce, "Permissive")
    return {"selinux": found}


def _init_of(words: list[str], root: str) -> str:
    program = which(words[0])
    if program is not None and program.endswith("bin/init"):
        return _mark_of(below(root, program))
    for name in CONTAINER_INITS:
        if which(name) in words:
            return name
    # Phusion's container images start runit through /sbin/my_init.
    return "runit" if words == ["runit"] or "/sbin/my_init" in words else "unknown"


def _mark_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            content = file.read().lower()
    except OSError:
        return "unknown"
    return next((mark.decode() for mark in INIT_MARKS if mark in content), "unknown")
