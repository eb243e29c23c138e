"""Comparison of mount options with the wanted ones.

The kernel reports some options under other names, and some not at all.
Source: stock docs of `mount.mounted`; mount(8).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import call

#: Options that the kernel never reports.
INVISIBLE = (
    *("_netdev", "actimeo", "bg", "comment", "defaults", "delay_connect", "direct-io-mode", "intr"),
    *("loop", "nointr", "nobootwait", "nofail", "password", "reconnect", "retry", "soft", "auto", "users"),
    *("bind", "nonempty", "transform_symlinks", "port", "backup-volfile-servers"),
)
#: Options whose values the kernel never reports.
INVISIBLE_KEYS = (
    *("actimeo", "comment", "credentials", "direct-io-mode", "password", "port", "retry", "secretfile"),
)
#: {file system: options that it accepts and does not report}
IGNORED_KEYS = {"ramfs": ["size"]}
#: {option: its name in the kernel's report}
TRANSLATED = {"tcp": "proto=tcp", "udp": "proto=udp"}
_UNITS = {"k": 1, "m": 1024, "g": 1024 * 1024}
_IDS = {"uid": "user.info", "gid": "group.info"}


def differing(
    wanted: Iterable[str], active: Mapping[str, Any], fstype: str, more: Mapping[str, Any]
) -> list[str]:
    """Return the wanted options that are not active; `more` are the state's arguments for the comparison."""
    hidden = {
        *INVISIBLE,
        *(more.get("extra_mount_invisible_options") or ()),
        *(more.get("hidden_opts") or ()),
    }
    keys = {*INVISIBLE_KEYS, *(more.get("extra_mount_invisible_keys") or ())}
    ignored = {**IGNORED_KEYS, **(more.get("extra_mount_ignore_fs_keys") or {})}.get(fstype, [])
    words = {**TRANSLATED, **(more.get("extra_mount_translate_options") or {})}
    there = {_in_kib(option) for option in (*active["opts"], *active.get("superopts", ()))}
    missing = []
    for option in (_as_kernel_says(words.get(option, option), fstype) for option in wanted):
        key = option.partition("=")[0]
        if option not in there and option not in hidden and key not in keys and key not in ignored:
            missing.append(option)
    return missing


def _as_kernel_says(option: str, fstype: str) -> str:
    key, _, value = option.partition("=")
    if fstype == "cifs" and key == "user":
        return f"username={value}"
    if key in _IDS and value and not value.isdigit():
        info = call(_IDS[key], value)
        return f"{key}={info[key]}" if info and key in info else option
    return _in_kib(option)


def _in_kib(option: str) -> str:
    """Return an option, `size` in KiB, the kernel's unit."""
    found = re.fullmatch(r"size=(\d+)([kmg])", option)
    return f"size={int(found[1]) * _UNITS[found[2]]}k" if found else option
