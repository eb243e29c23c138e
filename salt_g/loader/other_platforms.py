"""Say of a plugin name that it belongs to another operating system.

Why its own file: trees name states of Windows, macOS and the BSDs in branches for those systems. A
machine that runs into one is told which system it needs, not that nobody ever heard of it.
Source: the names of plugins in Salt 3006 to 3008; only names.
"""

from __future__ import annotations

#: {prefix of names: the systems}; a name is looked for whole first.
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
    """Return the system that serves plugins of this name, None for a name that no other system has."""
    known = (system for prefix, system in _PREFIXES.items() if name.startswith(prefix))
    return _SYSTEMS.get(name) or next(known, None)


def reason(name: str) -> str:
    """Return why a plugin of another system is not here, '' for a name that no other system has."""
    system = system_of(name)
    if system is None:
        return ""
    return f"'{name}' __virtual__ returned False: not available on this system, only on {system}"
