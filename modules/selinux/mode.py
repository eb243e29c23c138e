"""The mode of SELinux."""

from __future__ import annotations

import os
import re

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.process import disk

_MOUNTS = ("/sys/fs/selinux", "/selinux")
_CONFIG = "/etc/selinux/config"
#: The kernel's value of each mode; `disabled` takes effect at the next boot.
_ENFORCE = {"enforcing": "1", "permissive": "0", "disabled": "0"}


def selinux_fs_path() -> str | None:
    """Return the path of SELinux's file system, or None if it is not mounted.

    Example::

        salt-g selinux.selinux_fs_path
    """
    return next((path for path in _MOUNTS if os.path.isfile(os.path.join(path, "enforce"))), None)


def getenforce() -> str:
    """Return `Enforcing`, `Permissive` or `Disabled`.

    Example::

        salt-g selinux.getenforce
    """
    mount = selinux_fs_path()
    try:
        with open(os.path.join(mount or "", "enforce"), encoding="ascii") as file:
            return "Permissive" if file.readline().strip() == "0" else "Enforcing"
    except OSError:
        return "Disabled"


def getconfig() -> str | None:
    """Return the mode of the next boot, or None if it is not configured.

    Example::

        salt-g selinux.getconfig
    """
    try:
        with open(_CONFIG, encoding="utf-8") as file:
            found = re.search(r"^\s*SELINUX=(.*)$", file.read(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip().capitalize() if found else None


def setenforce(mode: str) -> str:
    """Set the mode, now and for the next boot, and return the effective mode.

    Example::

        salt-g selinux.setenforce enforcing
    """
    wanted = str(mode).lower()
    if wanted not in _ENFORCE:
        raise InvocationError(f"Invalid mode {mode}. Valid: {', '.join(_ENFORCE)}")
    mount = selinux_fs_path()
    if mount is not None:
        try:
            with open(os.path.join(mount, "enforce"), "w", encoding="ascii") as file:
                file.write(_ENFORCE[wanted])
        except OSError as exc:
            raise CommandExecutionError(f"Could not write SELinux enforce file: {exc}") from exc
    _set_config(wanted)
    return getenforce()


def _set_config(mode: str) -> None:
    try:
        with open(_CONFIG, encoding="utf-8") as file:
            before = file.read()
    except OSError as exc:
        raise CommandExecutionError(f"Could not read SELinux config file: {exc}") from exc
    after = re.sub(r"^SELINUX=.*$", f"SELINUX={mode}", before, flags=re.MULTILINE)
    try:
        disk.rewrite(_CONFIG, after.encode())
    except OSError as exc:
        raise CommandExecutionError(f"Could not write SELinux config file: {exc}") from exc
