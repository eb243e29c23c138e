"""Installed packages."""

from __future__ import annotations

from typing import Any

from salt_g.modules._packages import wants_leftovers
from salt_g.modules._rpm_packages import installed


def list_pkgs(versions_as_list: bool = False, **kwargs: Any) -> dict[str, Any]:
    """Return {name: version} of the installed packages.

    With `versions_as_list`, each has a list of versions; with `attr` (list, comma-separated text or `all`), a
    list of mappings of `epoch`, `release`, `arch`, `install_date` and others. `use_context=False` bypasses
    the cache.

    Example::

        salt-g pkg.list_pkgs attr=version,arch
    """
    return {} if wants_leftovers(kwargs) else installed(versions_as_list, **kwargs)
