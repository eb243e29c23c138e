"""Names and versions of packages, computed without apt or dpkg."""

from __future__ import annotations

from typing import Any

from salt_g.api import grains
from salt_g.modules import _debian_versions


def normalize_name(name: str) -> str:
    """Return a package name without a redundant architecture.

    Example::

        salt-g pkg.normalize_name zsh:amd64
    """
    base, colon, arch = name.rpartition(":")
    return base if colon and arch in (grains["osarch"], "all", "any") else name


def parse_arch(name: str) -> dict[str, str | None]:
    """Return {"name", "arch"} of a package name; `arch` is None if the name has none.

    Example::

        salt-g pkg.parse_arch zsh:amd64
    """
    base, colon, arch = name.rpartition(":")
    return {"name": base, "arch": arch} if colon else {"name": name, "arch": None}


def version_cmp(pkg1: Any, pkg2: Any, ignore_epoch: bool = False, **kwargs: Any) -> int:
    """Return -1, 0 or 1 as the first version is older than, the same as, or newer than the second.

    Example::

        salt-g pkg.version_cmp 0.2.4-0ubuntu1 0.2.4.1-0ubuntu1
    """
    first, second = str(pkg1), str(pkg2)
    if ignore_epoch:
        first, second = map(_debian_versions.without_epoch, (first, second))
    return _debian_versions.compare(first, second)
