"""Installed programs and shells, and writing to a terminal."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any

from salt_g.errors import CommandNotFound, CommandTimeout
from salt_g.process import command

#: {shell or interpreter: (pattern for its version, command that prints the version)}
VERSION_COMMANDS = {
    "bash": (r"version (\d\S*)", ["bash", "--version"]),
    "zsh": (r"^zsh (\d\S*)", ["zsh", "--version"]),
    "tcsh": (r"^tcsh (\d\S*)", ["tcsh", "--version"]),
    "perl": (r"^(\d\S*)", ["perl", "-e", 'printf "%vd\n", $^V;']),
    "python": (r"^Python (\d\S*)", ["python", "-V"]),
    "ruby": (r"^ruby (\d\S*)", ["ruby", "-v"]),
    "php": (r"^PHP (\d\S*)", ["php", "-v"]),
}
#: Time limit of a version query, in seconds.
VERSION_TIMEOUT = 10


def which(cmd: str) -> str | None:
    """Return the path of a program, or None if it is not found.

    Example::

        salt-g cmd.which cat
    """
    return command.which(str(cmd)) if cmd else None


def which_bin(cmds: Any) -> str | None:
    """Return the path of the first installed program of several, or None if there is none.

    Example::

        salt-g cmd.which_bin '[pip3, pip]'
    """
    names = [cmds] if isinstance(cmds, str) else cmds or []
    return next((path for path in map(which, names) if path), None)


def has_exec(cmd: str) -> bool:
    """Return whether an executable program of this name exists.

    Example::

        salt-g cmd.has_exec cat
    """
    return which(cmd) is not None


def tty(device: str, echo: str = "") -> dict[str, str]:
    """Write text to a terminal, given by name (`tty1`, `pts3`).

    Returns {"Success": text} or {"Error": text}.

    Example::

        salt-g cmd.tty tty0 'This is a test'
    """
    if device.startswith("tty"):
        path = f"/dev/{device}"
    elif device.startswith("pts"):
        path = f"/dev/{device.replace('pts', 'pts/')}"
    else:
        return {"Error": "The specified device is not a valid TTY"}
    try:
        # Not opened for creation: a missing device is an error, not a new file.
        with open(os.open(path, os.O_WRONLY | os.O_NOCTTY), "wb") as terminal:
            terminal.write(str(echo).encode())
    except OSError:
        return {"Error": f"Echoing to {path} returned error"}
    return {"Success": f"Message was successfully echoed to {path}"}


def shells() -> list[str]:
    """Return the paths of the login shells listed in /etc/shells.

    Example::

        salt-g cmd.shells
    """
    with contextlib.suppress(OSError), open("/etc/shells", encoding="utf-8") as file:
        lines = [line.strip() for line in file]
        return [line for line in lines if line and not line.startswith("#")]
    return []


def shell_info(shell: str, list_modules: bool = False) -> dict[str, Any]:
    """Return facts about a shell or interpreter: `installed`, `path`, `version` and `version_raw`.

    If the version cannot be found, `error` is set and the version is missing.

    shell
        bash, zsh, tcsh, perl, python, ruby or php.
    list_modules
        Accepted for compatibility; only PowerShell has modules to list.

    Example::

        salt-g cmd.shell_info bash
    """
    if shell not in VERSION_COMMANDS:
        return {"error": f"Salt does not know how to get the version number for {shell}", "installed": None}
    pattern, words = VERSION_COMMANDS[shell]
    try:
        text = command.run(words, timeout=VERSION_TIMEOUT, merge_stderr=True).out
    except CommandTimeout:
        return {"error": f"Unable to run command '{' '.join(words)}' Reason: Timed out.", "installed": False}
    except CommandNotFound as exc:
        reason = exc.__cause__ or exc
        return {"error": f"Unable to run command '{' '.join(words)}' Reason: {reason}", "installed": False}
    return _version_of(shell, text, re.search(pattern, text, flags=re.IGNORECASE), which(words[0]))


def _version_of(shell: str, text: str, found: re.Match[str] | None, path: str | None) -> dict[str, Any]:
    raw = found.group(1) if found else ""
    numbers = re.match(r"\d[\d.]*", raw)
    if numbers is None:
        error = f"The version regex pattern for shell {shell}, could not find the version string"
        return {"installed": None, "path": path, "error": error, "stdout": text}
    parts = numbers.group(0).split(".")[:3]
    version = ".".join(parts if len(parts) > 1 else [*parts, "0"])
    return {"installed": True, "path": path, "version_raw": raw, "version": version}
