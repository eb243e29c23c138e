"""Apache sites, enabled or disabled (Debian)."""

from __future__ import annotations

from salt_g.api import functions
from salt_g.shapes import StateReturn
from salt_g.states import _apache


def __virtual__() -> bool | tuple[bool, str]:
    return True if "apache.a2ensite" in functions else (False, "apache module could not be loaded")


def enabled(name: str) -> StateReturn:
    """Ensure that a site is enabled.

    Example::

        salt-g state.single apache_site.enabled example.com
    """
    return _apache.enabled(name, "site")


def disabled(name: str) -> StateReturn:
    """Ensure that a site is disabled.

    Example::

        salt-g state.single apache_site.disabled example.com
    """
    return _apache.disabled(name, "site")
