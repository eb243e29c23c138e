"""States of PostgreSQL clusters on Debian: servers by version and name."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.shapes import StateReturn
from salt_g.states._named_objects import Texts
from salt_g.states._outcome import failed
from salt_g.states._postgres import Given, Port, checked_result, last_error, needs


def __virtual__() -> bool | tuple[bool, str]:
    return needs("postgres.cluster_exists")


def present(
    version: float | str,
    name: str,
    port: Port = None,
    encoding: Given = None,
    locale: Given = None,
    datadir: Given = None,
    allow_group_access: bool | None = None,
    data_checksums: bool | None = None,
    wal_segsize: int | str | None = None,
) -> StateReturn:
    """Ensure that a cluster exists; the state fails if an existing one has another port or directory.

    The arguments are those of `postgres.cluster_create`.

    Example::

        salt-g state.single postgres_cluster.present name=shop version=15 port=5440
    """
    last_error()
    key = f"{version}/{name}"
    known = call("postgres.cluster_list", verbose=True).get(key)
    if known and ((port and int(port) != known["port"]) or (datadir and datadir != known["datadir"])):
        return failed(name, f"Cluster {key} has wrong parameters which couldn't be changed on fly.")
    texts = Texts(
        already=f"Cluster {key} is already present",
        would=f"Cluster {key} is set to be created",
        done=f"The cluster {key} has been created",
        failed=f"Failed to create cluster {key}",
    )
    how: dict[str, Any] = {"port": port, "locale": locale, "encoding": encoding, "datadir": datadir}
    how |= {"allow_group_access": allow_group_access, "data_checksums": data_checksums}
    return checked_result(
        name,
        texts,
        is_reached=bool(known),
        act=lambda: call("postgres.cluster_create", version, name, **how, wal_segsize=wal_segsize),
        changes={key: "Present"},
    )


def absent(version: float | str, name: str) -> StateReturn:
    """Ensure that a cluster does not exist; its server is stopped and its data removed.

    Example::

        salt-g state.single postgres_cluster.absent name=shop version=15
    """
    last_error()
    key = f"{version}/{name}"
    texts = Texts(
        already=f"Cluster {key} is not present, so it cannot be removed",
        would=f"Cluster {key} is set to be removed",
        done=f"Cluster {key} has been removed",
        failed=f"Cluster {key} failed to be removed",
    )
    return checked_result(
        name,
        texts,
        is_reached=not call("postgres.cluster_exists", version, name),
        act=lambda: call("postgres.cluster_remove", version, name, True)["retcode"] == 0,
        changes={name: "Absent"},
    )
