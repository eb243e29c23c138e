"""Booleans of the policy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.modules._programs import acts, output

_BOOLEAN = re.compile(r"(\S+)\s+\((\w+)\s*,\s*(\w+)\)\s*(.*)")


def list_sebool() -> dict[str, dict[str, str]]:
    """Return {boolean: {"State", "Default", "Description"}}.

    Example::

        salt-g selinux.list_sebool
    """
    found = (_BOOLEAN.match(line) for line in output(["semanage", "boolean", "--list"]).splitlines())
    return {
        item.group(1): dict(zip(("State", "Default", "Description"), item.groups()[1:], strict=True))
        for item in found
        if item
    }


def getsebool(boolean: str) -> dict[str, str]:
    """Return information about a boolean, or {} if it does not exist.

    Example::

        salt-g selinux.getsebool virt_use_usb
    """
    return list_sebool().get(boolean, {})


def setsebool(boolean: str, value: Any, persist: bool = False) -> bool:
    """Set a boolean; `persist` keeps the value after a reboot.

    Example::

        salt-g selinux.setsebool virt_use_usb 'off'
    """
    return setsebools({boolean: value}, persist)


def setsebools(pairs: Mapping[str, Any], persist: bool = False) -> bool:
    """Set several booleans at once, {boolean: value}.

    Example::

        salt-g selinux.setsebools '{virt_use_usb: "on", squid_use_tproxy: "off"}'
    """
    words = [f"{boolean}={_switch(value)}" for boolean, value in pairs.items()]
    return acts(["setsebool", *(["-P"] if persist else []), *words])


def _switch(value: Any) -> str:
    """Return a value in setsebool's form; YAML reads `on` as true."""
    return {"True": "on", "False": "off"}.get(str(value), str(value))
