"""Name and description of the machine.

Source: machine-info(5).
"""

from __future__ import annotations

import os
import re
from typing import Any

from salt_g.api import call
from salt_g.modules import _systemd
from salt_g.modules._programs import acts, is_installed
from salt_g.process import disk

#: File with the machine's description.
MACHINE_INFO = "/etc/machine-info"
_SETTING = re.compile(r"(?m)^[ \t]*PRETTY_HOSTNAME=(.*)$")
_SPELLED = {"\n": r"\n", "\t": r"\t", '"': r"\""}
_MEANT = {"n": "\n", "t": "\t"}


def get_computer_name() -> str:
    """Return the name of the machine.

    Example::

        salt-g system.get_computer_name
    """
    return str(call("network.get_hostname"))


def set_computer_name(hostname: str) -> Any:
    """Set the name of the machine, as `network.mod_hostname` does.

    Example::

        salt-g system.set_computer_name web1.example.com
    """
    return call("network.mod_hostname", hostname)


def get_computer_desc() -> Any:
    """Return the description of the machine (`PRETTY_HOSTNAME`).

    Without a description, returns '' if the machine has hostnamectl, else False.

    Example::

        salt-g system.get_computer_desc
    """
    found = _SETTING.findall(_text())
    if not found:
        return "" if _has_hostnamectl() else False
    value = found[-1].strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return re.sub(r"\\(.)", lambda escape: _MEANT.get(escape[1], escape[1]), value)


def set_computer_desc(desc: Any) -> bool:
    """Set the description of the machine; return whether that succeeded.

    Example::

        salt-g system.set_computer_desc "The laptop of Michael"
    """
    spelled = "".join(_SPELLED.get(letter, letter) for letter in str(desc))
    if _has_hostnamectl():
        return acts(["hostnamectl", "set-hostname", "--pretty", spelled])
    line = f'PRETTY_HOSTNAME="{spelled}"'
    text = _text()
    if _SETTING.search(text):
        new = _SETTING.sub(lambda _: line, text)
    else:
        new = text + ("\n" if text and not text.endswith("\n") else "") + line + "\n"
    try:
        disk.rewrite(MACHINE_INFO, new.encode())
    except OSError:
        return False
    return True


def _has_hostnamectl() -> bool:
    return _systemd.is_booted() and is_installed("hostnamectl")


def _text() -> str:
    if not os.path.exists(MACHINE_INFO):
        return ""
    with open(MACHINE_INFO, encoding="utf-8") as file:
        return file.read()
