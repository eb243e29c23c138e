"""Keys authorized to log in as a user: the authorized_keys file.

Shapes: {key: {"enc", "comment", "options", "fingerprint"}}. `config` is the path of the file, from
the user's home unless absolute, with sshd's `%h` and `%u`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import salt_g.modules.ssh.homes as homes
from salt_g.api import call, scratch
from salt_g.errors import CommandExecutionError
from salt_g.formats import sshkey
from salt_g.modules import _text_file

DEFAULT_FILE = ".ssh/authorized_keys"


def auth_keys(user: Any = None, config: str = DEFAULT_FILE, fingerprint_hash_type: str | None = None) -> Any:
    """Return the keys of a user, or {user: keys} for a list of users or, by default, all users.

    Example::

        salt-g ssh.auth_keys root
    """
    users = user if isinstance(user, list) else [user] if user else call("user.list_users")
    keys = {}
    for name in users:
        try:
            path = homes.authorized_keys_path(name, config)
        except CommandExecutionError:
            continue
        if os.path.isfile(path):
            keys[name] = _keys_in(path, fingerprint_hash_type)
    return keys.get(user, {}) if isinstance(user, str) and user else keys


def check_key(
    user: str,
    key: str,
    enc: str,
    comment: str,
    options: Sequence[str] | None,
    config: str = DEFAULT_FILE,
    cache_keys: Any = None,
    fingerprint_hash_type: str | None = None,
) -> str:
    """Return `add`, `update` or `exists`: the effect of setting this key.

    Example::

        salt-g ssh.check_key root AAAAC3Nz ssh-ed25519 me@example '[]'
    """
    wanted = sshkey.make_line(key, enc, comment, options)
    current = auth_keys(user, config, fingerprint_hash_type).get(key)
    if current is None:
        return "add"
    has = sshkey.Line(current["enc"], key, current["comment"], tuple(current["options"]))
    return "exists" if has.text() == wanted.text() else "update"


def check_key_file(
    user: str,
    source: str,
    config: str = DEFAULT_FILE,
    saltenv: str = "base",
    fingerprint_hash_type: str | None = None,
) -> dict[str, str]:
    """Return {key: effect of setting it (see `ssh.check_key`)} for the keys in a file given by URL.

    Example::

        salt-g ssh.check_key_file root salt://ssh/keyfile
    """
    path = call("cp.cache_file", source, saltenv)
    keys = _keys_of_source(path, source, fingerprint_hash_type) if path else {}
    where: dict[str, Any] = {"config": config, "fingerprint_hash_type": fingerprint_hash_type}
    return {
        key: check_key(user, key, found["enc"], found["comment"], found["options"], **where)
        for key, found in keys.items()
    }


def set_auth_key(
    user: str,
    key: str,
    enc: str = "ssh-rsa",
    comment: str = "",
    options: Sequence[str] | None = None,
    config: str = DEFAULT_FILE,
    cache_keys: Any = None,
    fingerprint_hash_type: str | None = None,
) -> str:
    """Authorize a key; return `new`, `replace`, `no change`, `fail`, `invalid` or `Invalid public key`.

    Example::

        salt-g ssh.set_auth_key root AAAAC3Nz enc=ed25519 comment=me@example
    """
    if len(key.split()) > 1:
        return "invalid"
    wanted = sshkey.make_line(key, enc, comment, options)
    info = call("user.info", user)
    if not info:
        return "fail"
    if sshkey.fingerprint(key, fingerprint_hash_type) is None:
        return "Invalid public key"
    status = check_key(user, key, enc, comment, options, config, None, fingerprint_hash_type)
    if status == "exists":
        return "no change"
    path = homes.authorized_keys_path(user, config)
    if path.startswith(info["home"]) and not os.path.isdir(info["home"]):
        return "fail"
    lines = _text_file.read(path).splitlines()
    if status == "update":
        lines = [wanted.text() if _key_of(line) == key else line for line in lines]
    else:
        lines.append(wanted.text())
    homes.write(path, _text(lines), info)
    return "replace" if status == "update" else "new"


def set_auth_key_from_file(
    user: str,
    source: str,
    config: str = DEFAULT_FILE,
    saltenv: str = "base",
    fingerprint_hash_type: str | None = None,
    **kwargs: Any,
) -> str:
    """Authorize all keys in a file given by URL; return `fail`, `replace`, `new` or `no change`.

    Of several results of `ssh.set_auth_key`, the first in this order is returned.

    options
        Options for all keys, instead of those in the file.

    Example::

        salt-g ssh.set_auth_key_from_file root salt://ssh/id_ed25519.pub
    """
    keys = _keys_of_source(_fetched(source, saltenv), source, fingerprint_hash_type)
    words = [
        set_auth_key(
            user,
            key,
            found["enc"],
            found["comment"],
            kwargs.get("options") or found["options"],
            config,
            None,
            fingerprint_hash_type,
        )
        for key, found in keys.items()
    ]
    return next(
        (word for word in ("fail", "replace", "new") if word in words), "no change" if keys else "fail"
    )


def rm_auth_key(
    user: str, key: str, config: str = DEFAULT_FILE, fingerprint_hash_type: str | None = None
) -> str:
    """Remove a key; return `Key removed` or `Key not present`.

    Example::

        salt-g ssh.rm_auth_key root AAAAC3Nz
    """
    if key not in auth_keys(user, config, fingerprint_hash_type):
        return "Key not present"
    path = homes.authorized_keys_path(user, config)
    lines = [line for line in _text_file.read(path).splitlines() if _key_of(line) != key]
    homes.write(path, _text(lines), None)
    return "Key removed"


def rm_auth_key_from_file(
    user: str,
    source: str,
    config: str = DEFAULT_FILE,
    saltenv: str = "base",
    fingerprint_hash_type: str | None = None,
) -> str:
    """Remove all keys listed in a file given by URL; return `Key removed`, `Key not present` or `fail`.

    Example::

        salt-g ssh.rm_auth_key_from_file root salt://ssh/id_ed25519.pub
    """
    keys = _keys_of_source(_fetched(source, saltenv), source, fingerprint_hash_type)
    if not keys:
        return "fail"
    words = [rm_auth_key(user, key, config, fingerprint_hash_type) for key in keys]
    return "Key removed" if "Key removed" in words else "Key not present"


def _fetched(source: str, saltenv: str) -> str:
    path = call("cp.cache_file", source, saltenv)
    if not path or not os.path.isfile(path):
        raise CommandExecutionError("Failed to pull key file from salt file server")
    return str(path)


def _keys_of_source(path: str, source: str, hash_type: str | None) -> dict[str, Any]:
    """Return the keys in a fetched file; if there are none, leave an error for the calling state."""
    keys = _keys_in(path, hash_type)
    if not keys:
        scratch["ssh_auth.error"] = f"No keys detected in {source}. Is file properly formatted?"
    return keys


def _keys_in(path: str, hash_type: str | None) -> dict[str, Any]:
    try:
        lines = _text_file.read(path).splitlines()
    except OSError as exc:
        raise CommandExecutionError(f"Problem reading ssh key file {path}: {exc}") from exc
    keys = {}
    for line in lines:
        found = None if line.lstrip().startswith("#") else sshkey.parse(line)
        mark = sshkey.fingerprint(found.key, hash_type) if found else None
        if found and mark:
            keys[found.key] = {
                "enc": found.enc,
                "comment": found.comment,
                "options": list(found.options),
                "fingerprint": mark,
            }
    return keys


def _key_of(line: str) -> str | None:
    found = None if line.lstrip().startswith("#") else sshkey.parse(line)
    return found.key if found else None


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line.strip()}\n" for line in lines if line.strip())
