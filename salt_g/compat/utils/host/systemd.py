"""Stock's `salt.utils.systemd`: the status and version of systemd, and the unit of a process.

`context` is a mapping that caches answers, such as a plugin's `__context__`.
"""

import os
import re
import shutil
from collections.abc import Callable, MutableMapping
from typing import Any

from salt_g.process.command import run

#: Cache for results, such as a plugin's `__context__`, or None to cache nothing.
_Context = MutableMapping[str, Any] | None
#: First version in which `systemd-run --scope` works.
_WITH_SCOPE = 205
#: Time limit of systemctl (s).
_TIMEOUT = 30


def booted(context: _Context = None) -> bool:
    """Return whether this system was started by systemd."""
    return bool(_kept(context, "booted", lambda: os.path.isdir("/run/systemd/system")))


def offline(context: _Context = None) -> bool:
    """Return whether systemd is installed but does not run, as in a chroot."""
    return bool(_kept(context, "offline", lambda: not booted(context) and bool(shutil.which("systemctl"))))


def version(context: _Context = None) -> int | None:
    """Return the version of systemd, or None without it."""

    def asked() -> int | None:
        if not shutil.which("systemctl"):
            return None
        found = re.match(r"\w+ (\d+)", run(["systemctl", "--version"], timeout=_TIMEOUT).out)
        return int(found.group(1)) if found else None

    found: int | None = _kept(context, "version", asked)
    return found


def has_scope(context: _Context = None) -> bool:
    """Return whether commands can be run in separate scopes (`systemd-run --scope`)."""
    return booted(context) and (version(context) or 0) >= _WITH_SCOPE


def status(context: _Context = None) -> bool:
    """Return whether `systemctl status` succeeds."""

    def asked() -> bool:
        return bool(shutil.which("systemctl")) and run(["systemctl", "status"], timeout=_TIMEOUT).retcode == 0

    return bool(_kept(context, "status", asked))


def pid_to_service(pid: int | str) -> str | None:
    """Return the unit of a process without the suffix `.service`, or None if it belongs to no service."""
    try:
        with open(f"/proc/{int(pid)}/cgroup", encoding="utf-8") as file:
            found = re.findall(r"/([^/\n]+)\.service$", file.read(), re.MULTILINE)
    except (OSError, ValueError):
        return None
    return found[-1] if found else None


def _kept(context: _Context, name: str, ask: Callable[[], Any]) -> Any:
    key = f"salt.utils.systemd.{name}"
    if context is None:
        return ask()
    if key not in context:
        context[key] = ask()
    return context[key]


__all__ = ["booted", "has_scope", "offline", "pid_to_service", "status", "version"]
