"""Stock's `salt.utils.package`: how the program was installed."""

from salt_g.process.command import is_frozen


def bundled() -> bool:
    """Return whether the program brings its own Python."""
    return is_frozen()


def pkg_type() -> str | None:
    """Return `onedir` for a program with its own Python, else None."""
    return "onedir" if bundled() else None


__all__ = ["bundled", "pkg_type"]
