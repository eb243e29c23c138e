"""State of the server: version, status, variables, processes, replication."""

from __future__ import annotations

from typing import Any

from salt_g.modules.mysql._server import ServerRefused, ask, or_else


@or_else(str)
def version(**connection_args: Any) -> str:
    """Return the version of the server, or '' if it does not respond.

    Example::

        salt-g mysql.version
    """
    return str(ask(connection_args, "SELECT VERSION()").rows[0][0])


@or_else(dict)
def status(**connection_args: Any) -> dict[str, str]:
    """Return the server's counters by name.

    Example::

        salt-g mysql.status
    """
    return dict(ask(connection_args, "SHOW STATUS").rows)


@or_else(list)
def processlist(**connection_args: Any) -> list[dict[str, Any]]:
    """Return the activity of the server's connections.

    Example::

        salt-g mysql.processlist
    """
    return ask(connection_args, "SHOW FULL PROCESSLIST").dicts()


@or_else(list)
def showvariables(**connection_args: Any) -> list[dict[str, Any]]:
    """Return {"Variable_name", "Value"} of each variable of the session.

    Example::

        salt-g mysql.showvariables
    """
    return ask(connection_args, "SHOW VARIABLES").dicts() or [[]]  # type: ignore[list-item]


@or_else(list)
def showglobal(**connection_args: Any) -> list[dict[str, Any]]:
    """Return {"Variable_name", "Value"} of each variable of the server.

    Example::

        salt-g mysql.showglobal
    """
    return ask(connection_args, "SHOW GLOBAL VARIABLES").dicts() or [[]]  # type: ignore[list-item]


@or_else(list)
def get_master_status(**connection_args: Any) -> dict[str, Any] | list[Any]:
    """Return the position in the binary log, or [] if the server writes none.

    Example::

        salt-g mysql.get_master_status
    """
    found = ask(connection_args, "SHOW MASTER STATUS").dicts()
    return found[0] if found else []


@or_else(list)
def get_slave_status(**connection_args: Any) -> dict[str, Any] | list[Any]:
    """Return the status of replication, or [] if the server is not a replica.

    Example::

        salt-g mysql.get_slave_status
    """
    return _replication(connection_args) or []


@or_else(lambda: -3)
def slave_lag(**connection_args: Any) -> int:
    """Return the replication lag in seconds.

    -1 means that the server is not a replica, -2 that replication is not running, -3 that there is no answer.

    Example::

        salt-g mysql.slave_lag
    """
    replication = _replication(connection_args)
    if replication is None:
        return -1
    return int(replication["Seconds_Behind_Master"] or 0) if replication["Slave_IO_Running"] == "Yes" else -2


@or_else(str)
def free_slave(**connection_args: Any) -> str:
    """Stop replication and drop its settings; return `promoted` or `failed`.

    Before that the logs of the source are flushed, if it can be reached. Returns '' if this server refuses.

    Example::

        salt-g mysql.free_slave
    """
    replication = _replication(connection_args)
    if replication is None:
        return "promoted"
    try:
        ask({**connection_args, "connection_host": replication["Master_Host"]}, "FLUSH LOGS")
    except ServerRefused:
        # The source is being replaced, and may be dead.
        pass
    ask(connection_args, "STOP SLAVE")
    ask(connection_args, "RESET SLAVE ALL")
    return "promoted" if _replication(connection_args) is None else "failed"


def _replication(connection_args: dict[str, Any]) -> dict[str, Any] | None:
    found = ask(connection_args, "SHOW SLAVE STATUS").dicts()
    return found[0] if found else None
