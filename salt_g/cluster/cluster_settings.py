"""Settings of a master in a cluster, and a check for settings that conflict with them.

Errors: ConfigError, which lists everything that must be changed.
"""

from __future__ import annotations

from typing import NamedTuple

from salt_g.cache.store_choice import server_url
from salt_g.config.cache_driver import external_driver
from salt_g.errors import ConfigError
from salt_g.shapes import Opts


class ClusterSettings(NamedTuple):
    """Id of this master in the cluster, and the database that all masters share."""

    id: str
    url: str

    @classmethod
    def of(cls, opts: Opts) -> ClusterSettings | None:
        """Return the settings of a master in a cluster, or None without `cluster`; raises ConfigError."""
        if not opts.get("cluster"):
            return None
        problems = list(_problems(opts))
        if problems:
            raise ConfigError(problems)
        return cls(str(opts["id"]), server_url(opts))


def _problems(opts: Opts) -> list[str]:
    found = []
    if not server_url(opts):
        found.append(
            "cluster: masters share a database; add store: postgresql://USER@HOST/DATABASE, or remove cluster"
        )
    if external_driver(opts):
        found.append("cluster: cannot be used with cache, because the masters share their data; remove cache")
    if opts.get("order_masters"):
        found.append("cluster: cannot be used with syndics; remove order_masters")
    return found
