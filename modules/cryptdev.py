"""Encrypted devices: open ones, and those that `/etc/crypttab` opens at boot.

Shapes: {name: {"device", "password", "options": list}}; `password` is the key file, or `none` to request a
passphrase at boot.
Source: crypttab(5).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from salt_g.api import grains
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import acts, output
from salt_g.modules._required import require
from salt_g.process import disk

__func_alias__ = {"open_": "open"}

_CRYPTTAB = "/etc/crypttab"
#: A line of `dmsetup ls`: `name (253:0)`, in older versions `name (253, 0)`.
_LISTED = re.compile(r"(?P<devname>\S+)\s+\((?P<major>\d+)(?:, |:)(?P<minor>\d+)\)")


class _Entry(NamedTuple):
    """Line of /etc/crypttab."""

    name: str
    device: str
    password: str
    options: str

    def line(self) -> str:
        return f"{self.name: <12} {self.device: <44} {self.password: <22} {self.options}".rstrip() + "\n"


def __virtual__() -> bool | tuple[bool, str]:
    if grains.get("kernel") == "Linux":
        return True
    return False, "The cryptdev module cannot be loaded: only available on Linux"


def active() -> dict[str, dict[str, str]]:
    """Return the encrypted devices that are open, as {name: {devname, major, minor}}.

    Example::

        salt-g cryptdev.active
    """
    require("dmsetup")
    lines = output(["dmsetup", "ls", "--target", "crypt"]).splitlines()
    found = [match.groupdict() for match in map(_LISTED.match, lines) if match]
    return {each["devname"]: each for each in found}


def crypttab(config: str = _CRYPTTAB) -> dict[str, dict[str, Any]]:
    """Return the devices listed in /etc/crypttab, or {} if the file does not exist.

    The result is {name: {"device", "password": key file or `none`, "options": [option, ...]}}.

    Example::

        salt-g cryptdev.crypttab
    """
    found: dict[str, dict[str, Any]] = {}
    for entry in filter(None, map(_read, _lines(config) if os.path.isfile(config) else [])):
        name = entry.name
        while name in found:
            name += "_"
        made = {"device": entry.device, "password": entry.password, "options": entry.options.split(",")}
        found[name] = made
    return found


def rm_crypttab(name: str, config: str = _CRYPTTAB) -> str:
    """Remove a device from /etc/crypttab; return `change`, or `absent` if the file does not list it.

    Example::

        salt-g cryptdev.rm_crypttab swap
    """
    lines = _lines(config)
    kept = [line for line in lines if not (entry := _read(line)) or entry.name != name]
    if kept == lines:
        return "absent"
    _write(config, kept)
    return "change"


def set_crypttab(
    name: str,
    device: str,
    password: str | None = "none",
    options: Any = "",
    config: str = _CRYPTTAB,
    test: bool = False,
    match_on: Any = "name",
) -> str:
    """Add a device to /etc/crypttab, or change its line; return `new`, `change` or `present`.

    name, device
        Name of the open device, and the encrypted device (`/dev/sdb1`, `UUID=…`).
    password
        The key file; `none` requests a passphrase at boot.
    options
        Comma-separated text, or a list.
    test
        Write nothing.
    match_on
        Field that identifies the line (`name`, `device`, `password`, `options`), or a list of such fields.

    Example::

        salt-g cryptdev.set_crypttab swap /dev/sdx4 /dev/urandom swap,size=256
    """
    entry = _Entry(name, device, "none" if password is None else str(password), _as_text(options))
    is_meant = _matcher(entry, match_on)
    if not os.path.isfile(config):
        raise CommandExecutionError(f'Bad config file "{config}"')
    lines = _lines(config)
    new = [entry.line() if _is_other(line, entry, is_meant) else line for line in lines]
    if not any(found is not None and is_meant(found) for found in map(_read, lines)):
        outcome = "new"
        new = [*_ended(lines), entry.line()]
    else:
        outcome = "change" if new != lines else "present"
    if new != lines and not test:
        _write(config, new)
    return outcome


def open_(name: str, device: str, keyfile: str | None) -> bool:
    """Open an encrypted device with the key in a file; return whether that succeeded.

    Example::

        salt-g cryptdev.open backup /dev/sdb1 /etc/backup.key
    """
    if keyfile in (None, "none", "-"):
        raise CommandExecutionError("For immediate crypt device mapping, keyfile must not be none")
    require("cryptsetup")
    return acts(["cryptsetup", "open", "--key-file", str(keyfile), device, name])


def close(name: str) -> bool:
    """Close an encrypted device; return whether that succeeded.

    Example::

        salt-g cryptdev.close backup
    """
    require("cryptsetup")
    return acts(["cryptsetup", "close", name])


def _read(line: str) -> _Entry | None:
    """Parse a line; return None for a comment or an invalid line."""
    words = line.split()
    if line.startswith("#") or len(words) not in (3, 4):
        return None
    return _Entry(words[0], words[1], words[2], words[3] if len(words) == 4 else "")


def _matcher(entry: _Entry, match_on: Any) -> Callable[[_Entry], bool]:
    """Return a predicate for lines that equal an entry in the fields `match_on`."""
    if not isinstance(match_on, (str, list)):
        raise CommandExecutionError("match_on must be a string or list of strings")
    fields = [match_on] if isinstance(match_on, str) else match_on
    unknown = [field for field in fields if field not in _Entry._fields]
    if unknown:
        known = ", ".join(_Entry._fields)
        raise CommandExecutionError(f"Unrecognized keys in match_on: {unknown}; known are: {known}")
    return lambda other: all(getattr(other, field) == getattr(entry, field) for field in fields)


def _is_other(line: str, entry: _Entry, is_meant: Callable[[_Entry], bool]) -> bool:
    found = _read(line)
    return found is not None and is_meant(found) and found != entry


def _as_text(options: Any) -> str:
    if options is None:
        return ""
    if isinstance(options, (list, tuple)):
        return ",".join(map(str, options))
    if isinstance(options, str):
        return options
    raise CommandExecutionError("options must be a string or list of strings")


def _ended(lines: Sequence[str]) -> list[str]:
    """Return lines, with a line end added where it is missing."""
    return [line if line.endswith("\n") else line + "\n" for line in lines]


def _lines(config: str) -> list[str]:
    try:
        with open(config, encoding="utf-8") as file:
            return file.readlines()
    except OSError as exc:
        raise CommandExecutionError(f"Could not read from {config}: {exc}") from exc


def _write(config: str, lines: Sequence[str]) -> None:
    try:
        disk.rewrite(config, "".join(lines).encode())
    except OSError as exc:
        raise CommandExecutionError(f"Could not write to {config}: {exc}") from exc
