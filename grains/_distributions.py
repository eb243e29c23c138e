"""Salt's names for distributions, and their families.

Source: stock's values of the grains `os` and `os_family`, which formulas compare.
"""

from __future__ import annotations

import re

#: {first ten characters of a distribution's name (lower case, no spaces): grain `os`}
OS_BY_PREFIX = {
    "alibabaclo": "Alinux",
    "almalinux": "AlmaLinux",
    "almalinuxk": "AlmaLinux",
    "alt": "ALT",
    "amazonami": "Amazon",
    "antergos": "Antergos",
    "arch": "Arch",
    "archarm": "Arch ARM",
    "chapeau": "Chapeau",
    "cloudlinux": "CloudLinux",
    "cloudserve": "CloudLinux",
    "debian": "Debian",
    "enterprise": "OEL",
    "fedoraremi": "Fedora",
    "gentoobase": "Gentoo",
    "korora": "Korora",
    "linuxmint": "Mint",
    "manjaro": "Manjaro",
    "manjarolin": "Manjaro",
    "mendel": "Mendel",
    "neon": "KDE neon",
    "nilrt": "NILinuxRT",
    "oracleserv": "OEL",
    "photon": "VMware Photon OS",
    "pidora": "Fedora",
    "poky": "Poky",
    "pop": "Pop",
    "raspbian": "Raspbian",
    "redhatente": "RedHat",
    "rocky": "Rocky",
    "scientific": "ScientificLinux",
    "sles": "SUSE",
    "slesexpand": "RES",
    "synology": "Synology",
    "univention": "Univention",
    "virtuozzo": "Virtuozzo",
    "void": "Void",
}
#: {(ID, NAME) of os-release: grain `os`}, where the name alone is ambiguous.
OS_BY_ID_AND_NAME = {
    ("astra", "Astra Linux (Orel)"): "AstraLinuxCE",
    ("astra", "Astra Linux (Smolensk)"): "AstraLinuxSE",
    ("pop", "Pop!_OS"): "Pop",
}
#: Families and their values of `os`; any other `os` is its own family.
FAMILIES = {
    "Arch": ("Antergos", "Arch ARM", "EndeavourOS", "Manjaro", "Manjaro ARM"),
    "Bluewhite": ("Bluewhite64",),
    "Debian": (
        *("AstraLinuxCE", "AstraLinuxSE", "Cumulus", "Deepin", "Devuan", "elementary", "elementary OS"),
        *("GCEL", "IDMS", "KDE neon", "Kali", "Linaro", "Mendel", "Mint", "neon", "OSMC", "Parrot OS"),
        *("Pop", "Raspbian", "Trisquel", "TurnKey", "Ubuntu", "Univention", "antiX"),
    ),
    "Gentoo": ("Funtoo",),
    "Mandriva": ("Mandrake",),
    "RedHat": (
        *("ALT", "Alinux", "AlmaLinux", "AlmaLinux Kitten", "AlterOS", "Amazon", "CentOS", "CentOS Stream"),
        *("Chapeau", "CloudLinux", "FedBerry", "Fedora", "GoOSe", "Korora", "OEL", "OVS", "RED OS", "RES"),
        *("Rocky", "Sangoma", "Scientific", "ScientificLinux", "VMware Photon OS", "Virtuozzo", "XCP"),
        *("XCP-ng", "XenServer", "openEuler"),
    ),
    "Slackware": ("Slamd64",),
    "Suse": (
        *("SLED", "SLES", "SLES_SAP", "SUSE", "SUSE Enterprise Server", "SUSE  Enterprise Server"),
        *("alfaLinux", "alfaLinux Rise", "openSUSE", "openSUSE Leap", "openSUSE Tumbleweed"),
    ),
    "VMware": ("VMwareESX",),
}
_FAMILY_OF = {member: family for family, members in FAMILIES.items() for member in members}
_LINUX = re.compile(r"\W(?:gnu/)?linux", re.IGNORECASE)


def os_of(full_name: str, identifier: str = "") -> str:
    """Return the grain `os` of a distribution's full name (`Debian GNU/Linux` is `Debian`)."""
    if (identifier, full_name) in OS_BY_ID_AND_NAME:
        return OS_BY_ID_AND_NAME[identifier, full_name]
    name = _LINUX.sub("", full_name).strip()
    return OS_BY_PREFIX.get(name.replace(" ", "").lower()[:10], name)


def family_of(os_name: str) -> str:
    """Return the grain `os_family` of a value of `os`."""
    return _FAMILY_OF.get(os_name, os_name)
