"""Stock's `salt.utils.pycrypto`: password hashes, made by the execution function `shadow.gen_password`."""

import secrets
import string
from typing import Any

from salt_g import api


def secure_password(length: int = 20, **stock: Any) -> str:
    """Return a random password of letters and digits."""
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(length))


def gen_hash(crypt_salt: str | None = None, password: str | None = None, algorithm: str | None = None) -> str:
    """Return a password's hash for /etc/shadow; the defaults are a random password and salt, and sha512."""
    wanted = secure_password() if password is None else password
    return str(api.call("shadow.gen_password", wanted, crypt_salt, algorithm or "sha512"))


__all__ = ["gen_hash", "secure_password"]
