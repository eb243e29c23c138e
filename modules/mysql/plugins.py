"""Plugins of the server."""

from __future__ import annotations

import logging
import re
from typing import Any

from salt_g.errors import InvocationError
from salt_g.modules.mysql._server import ask, or_else

log = logging.getLogger(__name__)


@or_else(list)
def plugins_list(**connection_args: Any) -> list[dict[str, str]]:
    """Return {"name", "status"} of each plugin.

    Example::

        salt-g mysql.plugins_list
    """
    return [{"name": row[0], "status": row[1]} for row in ask(connection_args, "SHOW PLUGINS").rows]


@or_else(str)
def plugin_status(name: str, **connection_args: Any) -> str | bool:
    """Return the status of a plugin (`ACTIVE`), or '' if the server does not have it.

    Example::

        salt-g mysql.plugin_status auth_socket
    """
    if not name:
        log.error("Plugin name is required.")
        return False
    query = "SELECT PLUGIN_STATUS FROM INFORMATION_SCHEMA.PLUGINS WHERE PLUGIN_NAME = %(name)s"
    found = ask(connection_args, query, {"name": name}).rows
    return str(found[0][0]) if found else ""


@or_else(bool)
def plugin_add(name: str, soname: str | None = None, **connection_args: Any) -> bool:
    """Install a plugin from the library `soname` (by default `name`.so); return whether it is installed.

    Example::

        salt-g mysql.plugin_add auth_socket
    """
    if plugin_status(_checked(name), **connection_args):
        log.error("Plugin %s is already installed.", name)
        return True
    ask(connection_args, f"INSTALL PLUGIN {name} SONAME %(soname)s", {"soname": soname or f"{name}.so"})
    return True


@or_else(bool)
def plugin_remove(name: str, **connection_args: Any) -> bool:
    """Remove a plugin; return whether that succeeded.

    Example::

        salt-g mysql.plugin_remove auth_socket
    """
    if not plugin_status(_checked(name), **connection_args):
        log.error("Plugin %s is not installed.", name)
        return True
    ask(connection_args, f"UNINSTALL PLUGIN {name}")
    return True


def _checked(name: str) -> str:
    if not re.fullmatch(r"\w+", name or ""):
        raise InvocationError(f"{name!r} is not the name of a plugin: letters, digits and underscores")
    return name
