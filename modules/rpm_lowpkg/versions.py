"""Comparison of rpm versions."""

from __future__ import annotations

from typing import Any

from salt_g.modules import _rpm_versions


def version_cmp(ver1: Any, ver2: Any, ignore_epoch: bool = False) -> int:
    """Return -1, 0 or 1 if the first version is older than, the same as, or newer than the second.

    Example::

        salt-g lowpkg.version_cmp 0.2-001 0.2.0.1-002
    """
    return _rpm_versions.compare(str(ver1), str(ver2), ignore_epoch)
