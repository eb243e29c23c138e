"""Key files of this host and of its users."""

from __future__ import annotations

import base64
import os
import re
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError

_HOST_KEY = re.compile(r"ssh_host_(?P<type>.+)_key(?P<pub>(?P<cert>-cert)?\.pub)?$")
_USER_KEYS = ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")


def host_keys(keydir: str | None = None, private: bool = True, certs: bool = True) -> dict[str, str]:
    """Return the keys of this host, {type: text}, public ones with `.pub` in the name.

    keydir
        Directory of the keys, /etc/ssh by default.
    private
        Include private keys (default: True).
    certs
        Include certificates (default: True).

    Example::

        salt-g ssh.host_keys private=False
    """
    folder = keydir or "/etc/ssh"
    keys = {}
    for name in sorted(os.listdir(folder)):
        found = _HOST_KEY.match(name)
        if found is None or (not found["pub"] and private is False) or (found["cert"] and certs is False):
            continue
        keys[found["type"] + (found["pub"] or "")] = _text_of(os.path.join(folder, name))
    return keys


def user_keys(
    user: Any = None, pubfile: str | bool | None = None, prvfile: str | bool | None = None
) -> dict[str, dict[str, str]]:
    """Return {user: {file: text}} of the keys of a user, of several, or by default of all.

    pubfile, prvfile
        Name of the public or private key below `.ssh`, or its path; False for none.

    Example::

        salt-g ssh.user_keys root prvfile=False
    """
    users = user if isinstance(user, list) else [user] if user else call("user.list_users")
    names = _wanted(pubfile, [f"{name}.pub" for name in _USER_KEYS]) + _wanted(prvfile, list(_USER_KEYS))
    keys = {}
    for one in users:
        home = call("user.info", one).get("home")
        paths = {os.path.basename(name): os.path.join(home or "/", ".ssh", name) for name in names}
        keys[one] = {name: _text_of(path) for name, path in paths.items() if home and os.path.exists(path)}
    return {one: found for one, found in keys.items() if found}


def key_is_encrypted(key: str) -> bool:
    """Return whether a private key, given by path or as text, has a passphrase.

    Example::

        salt-g ssh.key_is_encrypted /root/id_rsa
    """
    text = _text_of(key) if os.path.isfile(key) else key
    if "-----BEGIN" not in text:
        raise CommandExecutionError(f"{key!r} is neither the path nor the text of a private key")
    if "OPENSSH PRIVATE KEY" not in text:
        return "ENCRYPTED" in text
    body = "".join(line for line in text.splitlines() if line and not line.startswith("-----"))
    # The magic word is followed by the cipher name, prefixed by its length in four bytes.
    head = base64.b64decode(body)[15:]
    length = int.from_bytes(head[:4], "big")
    return head[4 : 4 + length] != b"none"


def _wanted(chosen: str | bool | None, usual: list[str]) -> list[str]:
    if chosen is False:
        return []
    return [chosen] if isinstance(chosen, str) and chosen else usual


def _text_of(path: str) -> str:
    """Return the text of a key file, or '' when it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""
