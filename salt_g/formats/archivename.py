"""Archive formats by file name suffix."""

from __future__ import annotations

#: Suffixes of tar archives, compressed or not.
TAR_ENDINGS = ("tar", "tar.gz", "tgz", "tar.bz2", "tbz2", "tbz", "tar.xz", "txz", "tar.lzma", "tlz")


def format_of(name: str) -> str | None:
    """Return the archive format of a file name (`tar`, `zip` or `rar`), or None for any other suffix."""
    lower = name.lower()
    if lower.endswith(tuple(f".{ending}" for ending in TAR_ENDINGS)):
        return "tar"
    return next((ending for ending in ("zip", "rar") if lower.endswith(f".{ending}")), None)
