"""Plugin names that belong to other operating systems.

Trees use states of Windows, macOS and the BSDs in branches for those systems. Calling one elsewhere yields an
error that names the required system, instead of an error about an unknown function.
Source: the names of plugins in Salt 3006 to 3008; only names.
"""

from __future__ import annotations

#: Systems by the prefix of a plugin's name; complete names (`_NAMES`) are looked up first.
_PREFIXES = {
    "win_": "Windows",
    "mac_": "macOS",
    "freebsd": "FreeBSD",
    "solaris": "Solaris",
    "smartos_": "SmartOS",
}
_NAMES = {
    "Windows": ("chocolatey", "dism", "lgpo", "ntfs", "reg", "vbox_guest", "winrepo", "wua", "wusa"),
    "macOS": (
        *("assistive", "brew", "desktop", "keychain", "launchctl", "macdefaults", "macpackage", "pkgutil"),
        *("softwareupdate", "xattr"),
    ),
    "FreeBSD": ("jail", "pkgng", "portsnap", "poudriere", "ports", "sysrc"),
    "FreeBSD and OpenBSD": ("pf",),
    "Solaris": ("fmadm", "imgadm", "smf", "vmadm", "zone", "zoneadm", "zonecfg"),
    "AIX": ("powerpath",),
}
_SYSTEMS = {name: system for system, names in _NAMES.items() for name in names}


def system_of(name: str) -> str | None:
    """Return the system of plugins with this name, or None for other names."""
    known = (system for prefix, system in _PREFIXES.items() if name.startswith(prefix))
    return _SYSTEMS.get(name) or next(known, None)


def why_unavailable(name: str) -> str:
    """Return why a plugin of another system is unavailable, or '' for other names."""
    system = system_of(name)
    if system is None:
        return ""
    return f"'{name}' __virtual__ returned False: not available on this system, only on {system}"
