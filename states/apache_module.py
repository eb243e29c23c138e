"""Apache modules, enabled or disabled (Debian)."""

from __future__ import annotations

from salt_g.api import functions
from salt_g.shapes import StateReturn
from salt_g.states import _apache


def __virtual__() -> bool | tuple[bool, str]:
    return True if "apache.a2enmod" in functions else (False, "apache module could not be loaded")


def enabled(name: str) -> StateReturn:
    """Ensure that a module is enabled.

    Example::

        salt-g state.single apache_module.enabled rewrite
    """
    return _apache.enabled(name, "module")


def disabled(name: str) -> StateReturn:
    """Ensure that a module is disabled.

    Example::

        salt-g state.single apache_module.disabled rewrite
    """
    return _apache.disabled(name, "module")
