"""Stock's `salt.client`: calls of functions on minions, for runners and programs on the master's machine."""

from typing import Any

from salt_g import stock_errors
from salt_g.client.caller import Caller
from salt_g.client.local import LocalClient


def get_local_client(c_path: str = "", mopts: Any = None, **stock: Any) -> LocalClient:
    """Return a client of the master with the config file `c_path`, or with the settings `mopts`."""
    return LocalClient(c_path, mopts, **stock)


#: Exceptions that stock's module imports, and that plugins import from there.
_NAMES = [
    *("AuthenticationError", "AuthorizationError", "EauthAuthenticationError", "PublishError"),
    *("SaltClientError", "SaltInvocationError", "SaltReqTimeoutError"),
]
globals().update({name: getattr(stock_errors, name) for name in _NAMES})

__all__ = ["Caller", "LocalClient", "get_local_client", *_NAMES]
