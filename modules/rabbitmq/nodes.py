"""The node: its application, its cluster, its plugins."""

from __future__ import annotations

from salt_g.modules.rabbitmq._ctl import ctl, lines, plugins
from salt_g.modules.rabbitmq.users import Runas


def status(runas: Runas = None) -> str:
    """Return the report of rabbitmqctl about the node.

    Example::

        salt-g rabbitmq.status
    """
    return ctl("status", runas=runas)


def cluster_status(runas: Runas = None) -> str:
    """Return the report of rabbitmqctl about the cluster.

    Example::

        salt-g rabbitmq.cluster_status
    """
    return ctl("cluster_status", runas=runas)


def join_cluster(
    host: str, user: str = "rabbit", ram_node: bool | None = None, runas: Runas = None
) -> dict[str, str]:
    """Join the cluster of `user`@`host`; a `ram_node` keeps its data in memory only.

    Example::

        salt-g rabbitmq.join_cluster broker1
    """
    words = ["--ram"] if ram_node else []
    stop_app(runas)
    try:
        return {"Join": ctl("join_cluster", *words, f"{user}@{host}", runas=runas)}
    finally:
        start_app(runas)


def stop_app(runas: Runas = None) -> str:
    """Stop the application and leave the node running.

    Example::

        salt-g rabbitmq.stop_app
    """
    return ctl("stop_app", runas=runas)


def start_app(runas: Runas = None) -> str:
    """Start the application.

    Example::

        salt-g rabbitmq.start_app
    """
    return ctl("start_app", runas=runas)


def reset(runas: Runas = None) -> str:
    """Reset a stopped application: it leaves its cluster and loses its data.

    Example::

        salt-g rabbitmq.reset
    """
    return ctl("reset", runas=runas)


def force_reset(runas: Runas = None) -> str:
    """Reset as `reset` does, even if the cluster does not respond.

    Example::

        salt-g rabbitmq.force_reset
    """
    return ctl("force_reset", runas=runas)


def list_available_plugins(runas: Runas = None) -> list[str]:
    """Return the names of all plugins.

    Example::

        salt-g rabbitmq.list_available_plugins
    """
    return [line.strip() for line in lines(plugins("list", "-m", runas=runas))]


def list_enabled_plugins(runas: Runas = None) -> list[str]:
    """Return the names of the plugins that are enabled, explicitly or as dependencies.

    Example::

        salt-g rabbitmq.list_enabled_plugins
    """
    return [line.strip() for line in lines(plugins("list", "-m", "-e", runas=runas))]


def plugin_is_enabled(name: str, runas: Runas = None) -> bool:
    """Return whether a plugin is enabled.

    Example::

        salt-g rabbitmq.plugin_is_enabled rabbitmq_management
    """
    return name in list_enabled_plugins(runas)


def enable_plugin(name: str, runas: Runas = None) -> dict[str, str]:
    """Enable a plugin.

    Example::

        salt-g rabbitmq.enable_plugin rabbitmq_management
    """
    return {"Enabled": plugins("enable", name, runas=runas)}


def disable_plugin(name: str, runas: Runas = None) -> dict[str, str]:
    """Disable a plugin.

    Example::

        salt-g rabbitmq.disable_plugin rabbitmq_management
    """
    return {"Disabled": plugins("disable", name, runas=runas)}
