"""Stock's `salt.fileserver`: what backends for the file server share."""

from collections.abc import Mapping
from typing import Any

from salt_g.files.roots import RootsRules


def is_file_ignored(opts: Mapping[str, Any], fname: str) -> bool:
    """Return whether `file_ignore_regex` or `file_ignore_glob` exclude a file."""
    return RootsRules.from_opts(opts).is_ignored(fname)


def diff_mtime_map(map1: Mapping[str, Any], map2: Mapping[str, Any]) -> bool:
    """Return whether two mappings of files to times differ."""
    return dict(map1) != dict(map2)


__all__ = ["diff_mtime_map", "is_file_ignored"]
