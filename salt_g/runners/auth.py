"""Login tokens of the master."""

from __future__ import annotations

from typing import Any

from salt_g.api import services


def mk_token(**load: Any) -> dict[str, Any]:
    """Create a token for a login; return it with its content, {} when the login fails.

    eauth, username, password
        The module of external authentication, and the login.

    token_expire
        How long it lasts, in seconds, for users who may choose (`token_expire_user_override`).

    Example::

        salt-g run auth.mk_token username=saltdev password=saltdev eauth=pam
    """
    made: dict[str, Any] = services().logins.make_token(load, "runner")
    return made


def del_token(token: str) -> bool:
    """Revoke a token; return whether it existed.

    token
        The token, 64 hexadecimal digits.

    Example::

        salt-g run auth.del_token 6556760736e4077daa601baec2b67c24
    """
    ended: bool = services().logins.end_token(token)
    return ended
