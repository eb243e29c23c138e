"""Apache configuration snippets, enabled or disabled (Debian)."""

from __future__ import annotations

from salt_g.api import functions
from salt_g.shapes import StateReturn
from salt_g.states import _apache


def __virtual__() -> bool | tuple[bool, str]:
    return True if "apache.a2enconf" in functions else (False, "apache module could not be loaded")


def enabled(name: str) -> StateReturn:
    """Ensure that a configuration snippet is enabled.

    Example::

        salt-g state.single apache_conf.enabled security
    """
    return _apache.enabled(name, "conf")


def disabled(name: str) -> StateReturn:
    """Ensure that a configuration snippet is disabled.

    Example::

        salt-g state.single apache_conf.disabled security
    """
    return _apache.disabled(name, "conf")
