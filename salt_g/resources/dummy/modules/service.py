"""Services of a dummy, with the names and returns used by the state `service`."""

from __future__ import annotations

from typing import Any

from salt_g.api import connection_functions as dummy


def get_all() -> list[str]:
    """Return the names of all services.

    Example::

        salt-g d-01 service.get_all
    """
    return sorted(dummy["dummy.service_list"]())


def available(name: str) -> bool:
    """Return whether a service exists.

    Example::

        salt-g d-01 service.available apache
    """
    return name in dummy["dummy.service_list"]()


def missing(name: str) -> bool:
    """Return whether a service does not exist.

    Example::

        salt-g d-01 service.missing apache
    """
    return not available(name)


def status(name: str, sig: str | None = None) -> bool:
    """Return whether a service runs.

    Example::

        salt-g d-01 service.status apache
    """
    return available(name) and dummy["dummy.service_status"](name)["comment"] == "running"


def start(name: str, **kwargs: Any) -> bool:
    """Start a service; return whether it runs.

    Example::

        salt-g d-01 service.start samba
    """
    return bool(dummy["dummy.service_start"](name) == "running")


def stop(name: str, **kwargs: Any) -> bool:
    """Stop a service; return whether it is stopped.

    Example::

        salt-g d-01 service.stop samba
    """
    return bool(dummy["dummy.service_stop"](name) == "stopped")


def restart(name: str, **kwargs: Any) -> bool:
    """Restart a service.

    Example::

        salt-g d-01 service.restart apache
    """
    return bool(dummy["dummy.service_restart"](name))
