"""Checks of a cluster: its masters, their leader, versions and clocks, and the database that they share."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.doctor import host
from salt_g.doctor.finding import DoctorFinding, error, good, warning
from salt_g.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from salt_g.cache.store import Store
    from salt_g.cluster.offline import Status

#: Number of database connections per master of a cluster, for its writer, listener and readers.
CONNECTIONS = 8


def check(opts: Mapping[str, Any]) -> Iterator[DoctorFinding]:
    """Check the cluster of a master whose settings name one."""
    if not opts.get("cluster"):
        return
    from salt_g.cache.store_choice import server_url, store_at
    from salt_g.cluster.cluster_settings import ClusterSettings
    from salt_g.cluster.offline import status

    try:
        settings = ClusterSettings.of(dict(opts))
        store = store_at(server_url(opts))
        found = status(store)
    except StoreError as exc:
        yield error("cluster", str(exc), "check the database server; see also the finding about the store")
        return
    except ConfigError as exc:
        yield error("cluster", str(exc), "see docs/cluster.md for how to set it up")
        return
    assert settings is not None
    yield from members(found, settings.id)
    yield from _database(store, len(found.members))


def members(found: Status, own: str) -> Iterator[DoctorFinding]:
    """Check the members of a cluster, as seen from the master `own`."""
    names = [member.id for member in found.members]
    away = [name for name in names if name not in found.live]
    if own not in names:
        advice = "start this master; then `salt-g cluster status` shows it"
        yield warning("cluster", f"{own} has never joined; there are: {', '.join(names) or 'none'}", advice)
    elif away:
        advice = "start them again; one that is gone for good: salt-g cluster forget NAME (or wait for a day)"
        yield warning("cluster", f"away: {', '.join(away)}; live: {', '.join(sorted(found.live))}", advice)
    else:
        yield good("cluster", f"{len(names)} masters live: {', '.join(names)}")
    if found.live and not found.leader:
        advice = "schedule and engines wait for one; check again in ten seconds, then read the masters' logs"
        yield warning("leader", "no master leads", advice)
    releases = {member.release for member in found.members if member.id in found.live}
    if len(releases) > 1:
        yield warning("releases", ", ".join(sorted(releases)), "finish the upgrade of all masters")


def _database(store: Store, masters: int) -> Iterator[DoctorFinding]:
    """Check the database: a standby, its clock, its connections."""
    try:
        began = time.time()
        row = store.read(
            "SELECT current_setting('synchronous_standby_names'), current_setting('max_connections')::int,"
            " extract(epoch FROM clock_timestamp())::float8,"
            " (SELECT count(*) FROM pg_stat_replication)"
        )[0]
        took = time.time() - began
    except StoreError as exc:
        yield error("database", str(exc), "check the database server")
        return
    standby, connections, now, replicas = row
    yield host.compared_clock(began + took / 2 - now, "the database")
    if not standby:
        advice = "acknowledged data is lost if the disk fails; see docs/cluster.md for how to add one"
        yield warning("standby", "none that confirms commits", advice)
    elif not replicas:
        advice = "start it again; jobs and returns are refused until it confirms, or the setting is emptied"
        yield error("standby", f"{standby} is not connected", advice)
    else:
        yield good("standby", f"{standby}, {replicas} connected")
    if connections < masters * CONNECTIONS:
        advice = f"raise it to at least {masters * CONNECTIONS}, which is {CONNECTIONS} for each master"
        yield warning("connections", f"max_connections is {connections}", advice)
