"""Services of firewalld: named sets of ports and protocols."""

from __future__ import annotations

from salt_g.errors import CommandExecutionError
from salt_g.modules.firewalld._program import change_and_reload, run_firewalld


def get_services(permanent: bool = True) -> list[str]:
    """Return the names of the known services.

    Example::

        salt-g firewalld.get_services
    """
    return run_firewalld("--get-services", permanent=permanent).split()


def new_service(name: str, restart: bool = True) -> str:
    """Create a service; `restart` also loads the new configuration.

    Example::

        salt-g firewalld.new_service mine
    """
    return change_and_reload(f"--new-service={name}", restart)


def delete_service(name: str, restart: bool = True) -> str:
    """Delete a service; `restart` also loads the new configuration.

    Example::

        salt-g firewalld.delete_service mine
    """
    return change_and_reload(f"--delete-service={name}", restart)


def get_service_ports(service: str) -> list[str]:
    """Return the ports of a service.

    Example::

        salt-g firewalld.get_service_ports ssh
    """
    return run_firewalld(f"--service={service}", "--get-ports", permanent=True).split()


def add_service_port(service: str, port: str) -> str:
    """Add a port to a service, in the permanent configuration only.

    Example::

        salt-g firewalld.add_service_port mine 8080/tcp
    """
    return _changed(service, f"--add-port={port}")


def remove_service_port(service: str, port: str) -> str:
    """Remove a port from a service, in the permanent configuration only.

    Example::

        salt-g firewalld.remove_service_port mine 8080/tcp
    """
    return _changed(service, f"--remove-port={port}")


def get_service_protocols(service: str) -> list[str]:
    """Return the protocols of a service.

    Example::

        salt-g firewalld.get_service_protocols ssh
    """
    return run_firewalld(f"--service={service}", "--get-protocols", permanent=True).split()


def add_service_protocol(service: str, protocol: str) -> str:
    """Add a protocol to a service, in the permanent configuration only.

    Example::

        salt-g firewalld.add_service_protocol mine ospf
    """
    return _changed(service, f"--add-protocol={protocol}")


def remove_service_protocol(service: str, protocol: str) -> str:
    """Remove a protocol from a service, in the permanent configuration only.

    Example::

        salt-g firewalld.remove_service_protocol mine ospf
    """
    return _changed(service, f"--remove-protocol={protocol}")


def _changed(service: str, word: str) -> str:
    if service not in get_services(permanent=True):
        raise CommandExecutionError("The service does not exist.")
    return run_firewalld(f"--service={service}", word, permanent=True)
