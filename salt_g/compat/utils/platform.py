"""Stock's `salt.utils.platform`."""

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
