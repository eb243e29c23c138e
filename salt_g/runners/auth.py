"""Login tokens of the master."""

from __future__ import annotations

from typing import Any

from salt_g.api import services
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import TokenContent


def mk_token(**load: Any) -> TokenContent:
    """Create a token for a login; return it with its content, or {} when the login fails.

    eauth, username, password
        The module of external authentication, and the credentials.

    token_expire
        Lifetime in seconds, for users who may choose it (`token_expire_user_override`).

    Example::

        salt-g run auth.mk_token username=saltdev password=saltdev eauth=pam
    """
    return services(MasterServices).logins.make_token(load, "runner")


def del_token(token: str) -> bool:
    """Revoke a token; return whether it existed.

    token
        The token, 64 hexadecimal digits.

    Example::

        salt-g run auth.del_token 6556760736e4077daa601baec2b67c24
    """
    return services(MasterServices).logins.end_token(token)
