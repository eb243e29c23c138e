"""`sysctl` on Linux: settings of the running kernel, and the file that sets them at boot."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from salt_g.api import grains
from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules import _systemd, _text_file
from salt_g.modules._programs import is_installed, run
from salt_g.shapes import Completed

__virtualname__ = "sysctl"

#: First systemd version with which settings belong in /etc/sysctl.d instead of /etc/sysctl.conf.
_FIRST_WITH_DIRECTORY = 207
_HEADER = "#\n# Kernel sysctl configuration\n#\n"
_FILE_MODE = 0o644


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("kernel") == "Linux":
        return __virtualname__
    return False, "The linux_sysctl execution module cannot be loaded: only available on Linux systems."


def default_config() -> str:
    """Return the path of the file of persistent settings.

    Example::

        salt-g sysctl.default_config
    """
    if _systemd.is_booted() and (_systemd.version() or 0) >= _FIRST_WITH_DIRECTORY:
        return "/etc/sysctl.d/99-salt.conf"
    return "/etc/sysctl.conf"


def show(config_file: str | bool = False) -> dict[str, str] | None:
    """Return {name: value} of the running kernel, or of a file: {} if it does not exist, None if unreadable.

    Example::

        salt-g sysctl.show config_file=/etc/sysctl.conf
    """
    if not config_file:
        return _pairs(_sysctl("-a")["stdout"].splitlines(), " = ")
    if not os.path.exists(str(config_file)):
        return {}
    try:
        with open(str(config_file), encoding="utf-8") as file:
            return _pairs((line for line in file if not line.strip().startswith("#")), "=")
    except OSError:
        return None


def get(name: str) -> str:
    """Return the value of a setting of the running kernel.

    Example::

        salt-g sysctl.get net.ipv4.ip_forward
    """
    return _sysctl("-n", name)["stdout"]


def assign(name: str, value: object) -> dict[str, str]:
    """Set a setting of the running kernel; return {name: value}.

    Example::

        salt-g sysctl.assign net.ipv4.ip_forward 1
    """
    # In a name, a slash stands for a dot in the name of an interface: `net.ipv4.conf.eth0/1.forwarding`.
    path = "/proc/sys/" + name.translate(str.maketrans("./", "/."))
    if not os.path.exists(path):
        raise CommandExecutionError(f"sysctl {name} does not exist")
    finished = _sysctl("-w", f"{name}={value}")
    said, problem = finished["stdout"], finished["stderr"]
    is_set = re.match(rf"{re.escape(name)}\s+=\s+{re.escape(str(value))}$", said)
    if not is_set or "Invalid argument" in problem:
        reason = problem if finished["retcode"] != 0 and problem else said
        raise CommandExecutionError(f"sysctl -w failed: {reason}")
    return _pairs([said], " = ")


def persist(name: str, value: object, config: str | None = None) -> str:
    """Set a setting now and at every boot; return `Updated` or `Already set`.

    `config` is the file to write; the default is that of `sysctl.default_config`.

    Example::

        salt-g sysctl.persist net.ipv4.ip_forward 1
    """
    config = config or default_config()
    lines = _read(config)
    places = [at for at, line in enumerate(lines) if _name_of(line) == name]
    is_kept = any(_plain(lines[at].partition("=")[2].strip()) == _plain(value) for at in places)
    if is_kept and _plain(get(name)) == _plain(value):
        return "Already set"
    if not is_kept:
        for at in places:
            lines[at] = f"{name} = {value}\n"
        if not places:
            lines.append(f"{name} = {value}\n")
        _write(config, lines)
    assign(name, value)
    return "Updated"


def _sysctl(*words: str) -> Completed:
    if not is_installed("sysctl"):
        raise CommandNotFound("Command 'sysctl' cannot be found")
    return run(["sysctl", *words])


def _pairs(lines: Iterable[str], separator: str) -> dict[str, str]:
    pairs = (line.partition(separator) for line in lines)
    return {name.strip(): value.strip() for name, found, value in pairs if found}


def _name_of(line: str) -> str:
    """Return the name that a line of a file sets, or '' if it sets none."""
    name, equals, _ = line.partition("=")
    return name.strip() if equals else ""


def _plain(value: object) -> str:
    """Return a value with a tab, as the kernel uses, for each run of white space."""
    return re.sub(r"\s+", "\t", str(value))


def _read(config: str) -> list[str]:
    if not os.path.isfile(config):
        return _HEADER.splitlines(keepends=True)
    try:
        with open(config, encoding="utf-8") as file:
            lines = file.readlines()
    except OSError as exc:
        raise CommandExecutionError(f"Could not read from file: {config}") from exc
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]


def _write(config: str, lines: list[str]) -> None:
    try:
        os.makedirs(os.path.dirname(config), exist_ok=True)
        _text_file.rewrite_durably(config, "".join(lines), mode=_FILE_MODE)
    except OSError as exc:
        raise CommandExecutionError(f"Could not write to file: {config}") from exc
