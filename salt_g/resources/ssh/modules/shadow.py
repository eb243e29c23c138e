"""Passwords of the host's users, and password ages.

Hashes are sent over standard input, never on a command line.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import minion_functions
from salt_g.resources.ssh import _accounts, _remote
from salt_g.shapes import Facts

_FIELDS = ("lstchg", "min", "max", "warn", "inact", "expire")
_LOCKED = "!"


def default_hash() -> str:
    """Return the hash of a user without a password, which permits no login.

    Example::

        salt-g web-01 shadow.default_hash
    """
    return _LOCKED


def info(name: str, **kwargs: Any) -> Facts:
    """Return a user's name, password hash and ages; values are empty if the user does not exist.

    Example::

        salt-g web-01 shadow.info root
    """
    line = _remote.output(_accounts.ENTRY + 'entry shadow "$1"', _accounts.checked(name)).strip()
    if not line:
        return dict.fromkeys(("name", "passwd", *_FIELDS), "")
    fields = line.split(":")
    days = [int(field) if field else -1 for field in fields[2:8]]
    return {"name": fields[0], "passwd": fields[1], **dict(zip(_FIELDS, days, strict=False))}


def gen_password(password: str, crypt_salt: str | None = None, algorithm: str = "sha512") -> str:
    """Return the hash of a password, computed on the managing minion.

    Example::

        salt-g web-01 shadow.gen_password secret
    """
    return str(minion_functions["shadow.gen_password"](password, crypt_salt, algorithm))


def set_password(name: str, password: str, **kwargs: Any) -> bool:
    """Set the hash of a user's password.

    Example::

        salt-g web-01 shadow.set_password frank '$6$…'
    """
    if "\n" in password:
        password = password.partition("\n")[0]
    return _accounts.change("chpasswd", "-e", stdin=f"{_accounts.checked(name)}:{password}\n")


def del_password(name: str, **kwargs: Any) -> bool:
    """Remove a user's password, so that no password is needed to log in.

    Example::

        salt-g web-01 shadow.del_password frank
    """
    return _accounts.change("passwd", "-d", _accounts.checked(name))


def lock_password(name: str, **kwargs: Any) -> bool:
    """Lock a user's password.

    Example::

        salt-g web-01 shadow.lock_password frank
    """
    return _accounts.change("usermod", "-L", _accounts.checked(name))


def unlock_password(name: str, **kwargs: Any) -> bool:
    """Unlock a user's password.

    Example::

        salt-g web-01 shadow.unlock_password frank
    """
    return _accounts.change("usermod", "-U", _accounts.checked(name))


def set_mindays(name: str, mindays: int, **kwargs: Any) -> bool:
    """Set the minimum age of a password in days.

    Example::

        salt-g web-01 shadow.set_mindays frank 7
    """
    return _aged(name, "-m", mindays)


def set_maxdays(name: str, maxdays: int, **kwargs: Any) -> bool:
    """Set the maximum age of a password in days.

    Example::

        salt-g web-01 shadow.set_maxdays frank 90
    """
    return _aged(name, "-M", maxdays)


def set_warndays(name: str, warndays: int, **kwargs: Any) -> bool:
    """Set the number of days of warning before a password expires.

    Example::

        salt-g web-01 shadow.set_warndays frank 7
    """
    return _aged(name, "-W", warndays)


def set_inactdays(name: str, inactdays: int, **kwargs: Any) -> bool:
    """Set the number of days after the expiry of a password until the account is locked.

    Example::

        salt-g web-01 shadow.set_inactdays frank 7
    """
    return _aged(name, "-I", inactdays)


def set_date(name: str, date: int | str, **kwargs: Any) -> bool:
    """Set the date of the last password change, as days since the epoch or as a date.

    Example::

        salt-g web-01 shadow.set_date frank 0
    """
    return _aged(name, "-d", date)


def set_expire(name: str, expire: int | str, **kwargs: Any) -> bool:
    """Set the expiry date of an account, as days since the epoch or as a date.

    Example::

        salt-g web-01 shadow.set_expire frank 2030-01-01
    """
    return _aged(name, "-E", expire)


def _aged(name: str, option: str, value: Any) -> bool:
    return _accounts.change("chage", option, value, _accounts.checked(name))
