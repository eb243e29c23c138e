"""Stock's `salt.utils.package`: the way in which salt-g was installed."""

from salt_g.process.command import is_frozen


def bundled() -> bool:
    """Return whether salt-g runs with a bundled Python."""
    return is_frozen()


def pkg_type() -> str | None:
    """Return `onedir` if salt-g runs with a bundled Python, else None."""
    return "onedir" if bundled() else None


__all__ = ["bundled", "pkg_type"]
