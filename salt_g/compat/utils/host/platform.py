"""Stock's `salt.utils.platform`: checks of the operating system."""

import sys


def is_linux() -> bool:
    """Return whether this is Linux."""
    return sys.platform.startswith("linux")


def is_windows() -> bool:
    """Return whether this is Windows."""
    return sys.platform.startswith("win")


def is_darwin() -> bool:
    """Return whether this is macOS."""
    return sys.platform.startswith("darwin")


def is_freebsd() -> bool:
    """Return whether this is FreeBSD."""
    return sys.platform.startswith("freebsd")


def is_proxy() -> bool:
    """Return whether this process is a proxy minion."""
    return "salt-proxy" in " ".join(sys.argv)


def is_openbsd() -> bool:
    """Return whether this is OpenBSD."""
    return sys.platform.startswith("openbsd")


def is_netbsd() -> bool:
    """Return whether this is NetBSD."""
    return sys.platform.startswith("netbsd")


def is_sunos() -> bool:
    """Return whether this is Solaris or a derived system."""
    return sys.platform.startswith("sunos")


def is_smartos() -> bool:
    """Return False, because salt-g does not run on this system."""
    return False


is_smartos_globalzone = is_smartos_zone = is_aix = is_junos = is_smartos


def is_fedora() -> bool:
    """Return whether this is Fedora."""
    with open("/etc/os-release", encoding="utf-8") as file:
        return "ID=fedora\n" in file.read()


def is_photonos() -> bool:
    """Return whether this is Photon OS."""
    with open("/etc/os-release", encoding="utf-8") as file:
        return "ID=photon\n" in file.read()
