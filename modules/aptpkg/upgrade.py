"""Upgrades of all packages."""

from __future__ import annotations

from typing import Any

from salt_g.modules._booleans import is_true
from salt_g.modules._packages import forget_packages, upgraded
from salt_g.modules.aptpkg._apt import apt
from salt_g.modules.aptpkg.available import refresh_db
from salt_g.modules.aptpkg.install import conf_file_options
from salt_g.modules.aptpkg.query import list_pkgs


def upgrade(refresh: bool = True, dist_upgrade: bool = False, **kwargs: Any) -> dict[str, dict[str, str]]:
    """Upgrade all packages; return {name: {"old": version, "new": version}}.

    `dist_upgrade` may also install and remove packages. More: `download_only`, `allow_downgrades`, and
    `force_conf_new`, `skip_verify` and `cache_valid_time` as in `pkg.install`.
    Raises CommandExecutionError with the changes made.

    Example::

        salt-g pkg.upgrade dist_upgrade=True
    """
    if is_true(refresh):
        refresh_db(kwargs.get("cache_valid_time", 0))
    old = list_pkgs()
    words = ["apt-get", "-q", "-y", *conf_file_options(kwargs)]
    if kwargs.get("skip_verify"):
        words.append("--allow-unauthenticated")
    if kwargs.get("download_only") or kwargs.get("downloadonly"):
        words.append("--download-only")
    if kwargs.get("allow_downgrades"):
        words.append("--allow-downgrades")
    finished = apt([*words, "dist-upgrade" if dist_upgrade else "upgrade"])
    forget_packages()
    return upgraded(finished, old, list_pkgs())
