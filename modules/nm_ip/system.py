"""Machine-wide network settings (NetworkManager has none), and the reloading of keyfiles."""

from __future__ import annotations

from typing import Any

from salt_g.modules._network_manager import is_in_charge
from salt_g.modules._programs import acts


def nm_managed() -> bool:
    """Return whether NetworkManager runs and the older scripts (`ifup`, `ifdown`) are not installed.

    Example::

        salt-g ip.nm_managed
    """
    return is_in_charge()


def get_network_settings() -> list[str]:
    """Return [], because the settings are in each interface's keyfile.

    Example::

        salt-g ip.get_network_settings
    """
    return []


def build_network_settings(**settings: Any) -> list[str]:
    """Return [] and write nothing, because the settings are in each interface's keyfile.

    Example::

        salt-g ip.build_network_settings
    """
    return []


def apply_network_settings(**settings: Any) -> bool:
    """Let NetworkManager read its keyfiles again; return whether that succeeded.

    Example::

        salt-g ip.apply_network_settings
    """
    return reload()


def reload() -> bool:
    """Let NetworkManager read its keyfiles again."""
    return acts(["nmcli", "connection", "reload"])
