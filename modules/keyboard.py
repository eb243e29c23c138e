"""Keyboard layout of the console and of a running X server.

systemd's localectl sets the layout; on systems without systemd each distribution has its own files.
"""

from __future__ import annotations

import re

from salt_g.api import grains
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import is_installed, output, run
from salt_g.process import disk

#: {os family: (file, setting)} without localectl.
FILES = {
    "RedHat": ("/etc/sysconfig/keyboard", "LAYOUT"),
    "Debian": ("/etc/default/keyboard", "XKBLAYOUT"),
    "Gentoo": ("/etc/conf.d/keymaps", "keymap"),
}


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("localectl") or grains.get("os_family") in FILES:
        return True
    return False, "only works on Redhat, Debian or Gentoo systems or if localectl binary in path."


def get_sys() -> str:
    """Return the layout of the console.

    Example::

        salt-g keyboard.get_sys
    """
    if is_installed("localectl"):
        found = re.search(r"Keymap: *(.*)", output(["localectl"]))
        if found is None:
            raise CommandExecutionError("localectl reports no keymap")
        return found[1].strip()
    path, setting = FILES[grains["os_family"]]
    found = _setting(setting).search(_text(path))
    if found is None:
        raise CommandExecutionError(f"{path} has no {setting}")
    return found[2].strip("\"'")


def set_sys(layout: str) -> str:
    """Set the layout of the console, and return it.

    Example::

        salt-g keyboard.set_sys us
    """
    if is_installed("localectl"):
        _checked(["localectl", "set-keymap", layout])
        return layout
    path, setting = FILES[grains["os_family"]]
    disk.rewrite(path, _setting(setting).sub(lambda found: found[1] + layout, _text(path)).encode())
    return layout


def get_x() -> str:
    """Return the layout of the running X server.

    Example::

        salt-g keyboard.get_x
    """
    found = re.search(r"layout: *(.*)", _checked(["setxkbmap", "-query"]))
    if found is None:
        raise CommandExecutionError("setxkbmap reports no layout")
    return found[1].strip()


def set_x(layout: str) -> str:
    """Set the layout of the running X server, and return it.

    Example::

        salt-g keyboard.set_x us
    """
    _checked(["setxkbmap", layout])
    return layout


def _checked(words: list[str]) -> str:
    if not is_installed(words[0]):
        raise CommandExecutionError(f"{words[0]} is not installed")
    done = run(words)
    if done["retcode"]:
        raise CommandExecutionError(done["stderr"] or f"{words[0]} failed with code {done['retcode']}")
    return done["stdout"]


def _setting(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?m)^({name}=)(.*)$")


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as exc:
        raise CommandExecutionError(f"cannot read {path}: {exc.strerror}") from exc
