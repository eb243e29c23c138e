"""PostgreSQL clusters on Debian: servers identified by version and name, managed with postgresql-common."""

from __future__ import annotations

from typing import Any

from salt_g.errors import CommandNotFound
from salt_g.modules._programs import is_installed, run
from salt_g.modules.postgres._psql import Given, Port, note
from salt_g.shapes import Completed


def cluster_list(verbose: bool = False) -> list[str] | dict[str, dict[str, Any]]:
    """Return the clusters as a list of `version/name`.

    `verbose` gives {`version/name`: {"port", "status", "user", "datadir", "log"}}.

    Example::

        salt-g postgres.cluster_list verbose=True
    """
    printed = _program(["pg_lsclusters", "--no-header"])["stdout"]
    found = dict(_cluster(line) for line in printed.splitlines())
    return found if verbose else list(found)


def cluster_exists(version: float | str, name: str = "main") -> bool:
    """Return whether there is a cluster of this version and name.

    Example::

        salt-g postgres.cluster_exists 15 main
    """
    return f"{version}/{name}" in cluster_list()


def cluster_create(
    version: float | str,
    name: str = "main",
    port: Port = None,
    locale: Given = None,
    encoding: Given = None,
    datadir: Given = None,
    allow_group_access: bool | None = None,
    data_checksums: bool | None = None,
    wal_segsize: int | str | None = None,
) -> Completed | bool:
    """Create a cluster; return the result of the program, False if it failed.

    `wal_segsize` is in MiB.

    Example::

        salt-g postgres.cluster_create 15 shop port=5440
    """
    argv = ["pg_createcluster"]
    for flag, value in (("port", port), ("locale", locale), ("encoding", encoding), ("datadir", datadir)):
        argv += [f"--{flag}", str(value)] if value else []
    argv += [str(version), name]
    # These are options of initdb.
    further = ["--allow-group-access"] if allow_group_access is True else []
    further += ["--data-checksums"] if data_checksums is True else []
    further += ["--wal-segsize", str(wal_segsize)] if wal_segsize else []
    finished = _program([*argv, "--", *further] if further else argv)
    return finished if finished["retcode"] == 0 else False


def cluster_remove(version: float | str, name: str = "main", stop: bool = False) -> dict[str, Any]:
    """Remove a cluster with its data; `stop` stops its server first. Returns the result of the program.

    Example::

        salt-g postgres.cluster_remove 15 shop stop=True
    """
    finished = _program(["pg_dropcluster", *(["--stop"] if stop else []), str(version), name])
    done = {"changes": f"Successfully removed cluster {version}/{name}"} if not finished["retcode"] else {}
    return {**finished, **done}


def _program(argv: list[str]) -> Completed:
    if not is_installed(argv[0]):
        raise CommandNotFound(f"program {argv[0]!r} is not installed; the package postgresql-common has it")
    return note(run(argv), argv[0])


def _cluster(line: str) -> tuple[str, dict[str, Any]]:
    version, name, port, status, user, datadir, log_file = line.split(None, 6)
    about = {"port": int(port), "status": status, "user": user, "datadir": datadir, "log": log_file}
    return f"{version}/{name}", about
