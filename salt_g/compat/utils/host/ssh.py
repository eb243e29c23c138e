"""Stock's `salt.utils.ssh`: checks of SSH keys."""

import re

from salt_g.errors import CommandExecutionError


def key_is_encrypted(key: str) -> bool:
    """Return whether a private key file is marked ENCRYPTED; OpenSSH's own format never is.

    Raise CommandExecutionError for a file without a private key.
    """
    with open(key, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not re.search(r"BEGIN (?:\w+\s)*PRIVATE KEY", text):
        raise CommandExecutionError(f"{key} is not a private key")
    return "ENCRYPTED" in text


__all__ = ["key_is_encrypted"]
