"""Stock's `salt.utils.dockermod`: the parts that the extension `dockermod` needs from stock.

The extension itself translates arguments (`saltext.dockermod.utils.dockermod`); its module is imported on
first use.
"""

import importlib
from typing import Any

#: Time limit for a request to the Docker daemon (s).
CLIENT_TIMEOUT = 60
#: Time limit for stopping a container (s).
SHUTDOWN_TIMEOUT = 10


def __getattr__(name: str) -> Any:
    """Return an attribute of the extension's module."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("saltext.dockermod.utils.dockermod"), name)


def create_ipam_config(*pools: Any, **kwargs: Any) -> Any:
    """Return the IPAM configuration of a network, built by the extension."""
    return __getattr__("create_ipam_config")(*pools, **kwargs)


def get_client_args(limit: Any = None) -> Any:
    """Return the arguments that Docker's library accepts, as determined by the extension."""
    return __getattr__("get_client_args")(limit)


def translate_input(translator: Any, **kwargs: Any) -> Any:
    """Return arguments in the form of Docker's API, translated by the extension."""
    return __getattr__("translate_input")(translator, **kwargs)


__all__ = ["CLIENT_TIMEOUT", "SHUTDOWN_TIMEOUT", "create_ipam_config", "get_client_args", "translate_input"]
