"""Passwords and password ageing in /etc/shadow (`shadow`).

Units: days; dates are days since 1970-01-01 or texts that `chage` understands. Passwords are
given as hashes, except to `gen_password`.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import grains
from salt_g.modules import _accounts, _crypt

__virtualname__ = "shadow"

#: The fields of /etc/shadow after name and hash, in order.
DAYS = ("lstchg", "min", "max", "warn", "inact", "expire")
#: Result of `info` for an unknown user.
NOBODY = dict.fromkeys(("name", "passwd", *DAYS), "")
#: Prefix of a locked password.
LOCKED = "!"


def __virtual__() -> Any:
    """Load only on Linux, because other systems keep passwords elsewhere."""
    if grains.get("kernel") == "Linux":
        return __virtualname__
    return False, "The linux_shadow execution module cannot be loaded: only available on Linux"


def default_hash() -> str:
    """Return the hash of a user without a password, which allows no login.

    Example::

        salt-g shadow.default_hash
    """
    return LOCKED


def info(name: str, root: str | None = None) -> dict[str, Any]:
    """Return a user's line of /etc/shadow; empty texts if there is none.

    The result is {"name", "passwd", "lstchg", "min", "max", "warn", "inact", "expire"}; a number that is not
    set is -1.

    Example::

        salt-g shadow.info root
    """
    try:
        fields = next(line for line in _accounts.lines_of("shadow", root) if line[0] == name)
    except (StopIteration, OSError):
        return dict(NOBODY)
    days = [int(field) if field else -1 for field in fields[2:8]]
    return {"name": fields[0], "passwd": fields[1], **dict(zip(DAYS, days, strict=False))}


def list_users(root: str | None = None) -> list[str]:
    """Return the names of all users that have a line in /etc/shadow, sorted.

    Example::

        salt-g shadow.list_users
    """
    return sorted(line[0] for line in _accounts.lines_of("shadow", root))


def gen_password(password: str, crypt_salt: str | None = None, algorithm: str = "sha512") -> str:
    """Return the hash of a password.

    crypt_salt
        The salt, random by default.
    algorithm
        sha512, sha256, blowfish, md5 or crypt; the C library must support it.

    Example::

        salt-g shadow.gen_password 'I_am_password'
    """
    return _crypt.hash_password(password, crypt_salt, algorithm)


def set_password(name: str, password: str, use_usermod: bool = False, root: str | None = None) -> bool:
    """Set the password hash of a user; return whether it is set.

    use_usermod
        Use `usermod`, which shows the hash in the process list, instead of `chpasswd`.

    Example::

        salt-g shadow.set_password root '$6$salt$hash'
    """
    try:
        _accounts.user(name, root)
    except KeyError:
        return False
    if use_usermod:
        _accounts.run_program("usermod", "-p", password, name, root=root, output_loglevel="quiet")
    else:
        line = f"{name}:{password}\n"
        options = {"stdin": line, "stdin_raw_newlines": True, "output_loglevel": "quiet"}
        _accounts.run_program("chpasswd", "-e", root=root, **options)
    return bool(info(name, root)["passwd"] == password)


def del_password(name: str, root: str | None = None) -> bool:
    """Delete the password of a user, so that none is required; return whether it is deleted.

    Example::

        salt-g shadow.del_password frank
    """
    _accounts.run_program("passwd", "-d", name, root=root, output_loglevel="quiet")
    now = info(name, root)
    return now["name"] == name and not now["passwd"]


def lock_password(name: str, root: str | None = None) -> bool:
    """Lock the password of a user; return whether it is locked now.

    Example::

        salt-g shadow.lock_password frank
    """
    return _set_locked(name, "-l", True, root)


def unlock_password(name: str, root: str | None = None) -> bool:
    """Unlock the password of a user; return whether it is unlocked now.

    Example::

        salt-g shadow.unlock_password frank
    """
    return _set_locked(name, "-u", False, root)


def set_mindays(name: str, mindays: int, root: str | None = None) -> bool:
    """Set the number of days that must pass before the password can be changed again.

    Example::

        salt-g shadow.set_mindays frank 7
    """
    return _set_days(name, "min", mindays, "-m", root)


def set_maxdays(name: str, maxdays: int, root: str | None = None) -> bool:
    """Set the number of days after which the password must be changed.

    Example::

        salt-g shadow.set_maxdays frank 90
    """
    return _set_days(name, "max", maxdays, "-M", root)


def set_warndays(name: str, warndays: int, root: str | None = None) -> bool:
    """Set the number of days before password expiry from which the user is warned.

    Example::

        salt-g shadow.set_warndays frank 7
    """
    return _set_days(name, "warn", warndays, "-W", root)


def set_inactdays(name: str, inactdays: int, root: str | None = None) -> bool:
    """Set the number of days after password expiry until the account is locked.

    Example::

        salt-g shadow.set_inactdays frank 7
    """
    return _set_days(name, "inact", inactdays, "-I", root)


def set_date(name: str, date: int | str, root: str | None = None) -> bool:
    """Set the day of the last password change; return whether `chage` accepted it.

    Example::

        salt-g shadow.set_date frank 2026-01-31
    """
    return _chage(name, "lstchg", date, "-d", root)


def set_expire(name: str, expire: int | str, root: str | None = None) -> bool:
    """Set the day on which the account expires, -1 for never; return whether `chage` accepted it.

    Example::

        salt-g shadow.set_expire frank 2026-01-31
    """
    return _chage(name, "expire", expire, "-E", root)


def _set_locked(name: str, option: str, wanted: bool, root: str | None) -> bool:
    before = info(name, root)
    if not before["name"]:
        return False
    if before["passwd"].startswith(LOCKED) is not wanted:
        _accounts.run_program("passwd", option, name, root=root)
    return info(name, root)["passwd"].startswith(LOCKED) is wanted


def _set_days(name: str, key: str, value: int, option: str, root: str | None) -> bool:
    return _chage(name, key, value, option, root) and info(name, root)[key] == value


def _chage(name: str, key: str, value: Any, option: str, root: str | None) -> bool:
    before = info(name, root)
    if not before["name"]:
        return False
    if before[key] == value:
        return True
    return bool(_accounts.run_program("chage", option, value, name, root=root)["retcode"] == 0)
